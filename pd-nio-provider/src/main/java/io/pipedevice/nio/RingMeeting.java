// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.net.InetSocketAddress;

/** A way to the listener of an address. */
@FunctionalInterface
interface RingMeeting {
    /**
     * Connects. The listener's accept is not waited for.
     *
     * @param from an address whose port the kernel keeps for this connection
     * @throws StaysOnKernel with the reason, if it cannot be
     */
    RingConnection connect(InetSocketAddress from, InetSocketAddress to, OptionStore options) throws StaysOnKernel;
}
