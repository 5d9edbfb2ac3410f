// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

/** A socket as the driver's events know it. Thread safe. */
interface EventTarget {
    /**
     * The driver has served an arm word of this socket.
     *
     * @param word the bits of the {@link io.pipedevice.protocol.ArmWord} that it served
     */
    void served(int word);

    /** Makes every sleeping thread and every epoll instance look at this socket again. */
    void wakeAll();
}
