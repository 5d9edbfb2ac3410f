// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Where the rings of this JVM's connections come from, and what they reach. Thread safe. */
interface Placement {
    /** The hurry of a thread that may wait for as long as it takes to connect. */
    int PATIENT = 0;

    /**
     * Does what takes long when the first listener of this JVM is opened. Who waits for a server to come back connects as
     * soon as the kernel has its port, and shall find its rings.
     */
    void beReady();

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
     * Whether a connection to an address may go through rings. If not, it goes through the kernel as one to another host,
     * and {@link #meet} is not called.
     *
     * @param address not the wildcard
     */
    boolean reaches(InetAddress address);

    /**
     * Finds the listener of an address that this placement {@link #reaches}.
     *
     * @param hurry how many milliseconds the thread may wait at most, if it has others to serve or must not wait for
     *     long; else {@link #PATIENT}
     * @throws StaysOnKernel with the reason, if there is none to be met
     */
    RingMeeting meet(InetSocketAddress to, int hurry) throws StaysOnKernel;
}
