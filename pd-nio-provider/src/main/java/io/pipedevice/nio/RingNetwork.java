// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.net.InetSocketAddress;

/** Where this JVM's rings come from, and whom they reach: one placement. Thread safe. */
interface RingNetwork {
    /**
     * Lets clients meet a server that listens on the kernel; where that fails, or is not possible yet, the kernel serves
     * them.
     *
     * @param address that the kernel socket is bound to
     * @param receiveSize of the rings of accepted connections, in bytes; 0 for what is best
     * @param changed is called when there is a source to wait for, or another one; by any thread
     * @return the place, for the caller to close
     */
    RingListener listen(InetSocketAddress address, int backlog, int receiveSize, Runnable changed);

    /**
     * Finds the listener of an address.
     *
     * @param hurried whether the thread has others to serve, and must not wait for long
     * @throws StaysOnKernel with the reason, if there is none to be met
     */
    RingMeeting meet(InetSocketAddress to, boolean hurried) throws StaysOnKernel;
}
