// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.net.InetSocketAddress;

/** A way to the listener of an address. */
@FunctionalInterface
interface RingMeeting {
    /**
     * Connects. The listener's accept is not waited for.
     *
     * @param from reserved if need be: the kernel keeps the port for this connection
     * @throws StaysOnKernel with the reason, if it cannot be
     */
    RingConnection connect(SourcePort from, InetSocketAddress to, OptionStore options) throws StaysOnKernel;
}
