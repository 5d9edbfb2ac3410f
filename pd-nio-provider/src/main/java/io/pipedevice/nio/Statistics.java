// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.peer.PeerMonitor;
import java.io.IOException;
import java.net.InetAddress;

/**
 * What this JVM's connections did since it started. Thread safe.
 *
 * <p>A channel calls {@link #connected} or {@link #onKernel} once, when it is decided how it connects, and keeps the
 * record, to which it adds the bytes that it moves.
 */
final class Statistics {
    private static final StatPage PAGE;
    private static final IOException WHY_UNPUBLISHED;
    private static final KernelEnds KERNEL_ENDS;

    static {
        StatPage page;
        IOException failure = null;
        try {
            page = StatPage.publish();
        } catch (IOException e) {
            failure = e;
            page = StatPage.unpublished();
        }
        PAGE = page;
        KERNEL_ENDS = new KernelEnds(page);
        WHY_UNPUBLISHED = failure;
    }

    private Statistics() {}

    /** Why there is no memory even for a page of counters; null if there is. */
    static IOException whyUnpublished() {
        return WHY_UNPUBLISHED;
    }

    /**
     * Counts an accelerated connection.
     *
     * @param client whether this end connected, rather than accepted
     */
    static ConnectionRecord connected(boolean client) {
        PAGE.add(client ? StatPageDescriptor.CLIENT_OFFSET : StatPageDescriptor.ACCEPTED_OFFSET, 1);
        return established(new ConnectionRecord(PAGE, null));
    }

    /** Counts a connection that stays on the kernel. */
    static ConnectionRecord onKernel(KernelReason reason) {
        return established(connectingByKernel(reason));
    }

    /** A connection that the kernel may yet refuse. The channel says when it is {@link #established}. */
    static ConnectionRecord connectingByKernel(KernelReason reason) {
        return new ConnectionRecord(PAGE, reason);
    }

    /**
     * Remembers with whom a connection on the kernel is.
     *
     * @param client whether this end connected
     * @param address the other end's
     * @param port the server's
     */
    static void onKernelWith(KernelReason reason, boolean client, InetAddress address, int port) {
        KERNEL_ENDS.count(reason, client, address, port);
    }

    /** Publishes why this JVM has no accelerated connections. Called at most once. */
    static void off(String why) {
        PAGE.describeOff(why);
    }

    /** Counts a connection from now on. */
    static ConnectionRecord established(ConnectionRecord connection) {
        connection.established();
        ManagementBean.offer();
        return connection;
    }

    static long connectedAsClient() {
        return PAGE.get(StatPageDescriptor.CLIENT_OFFSET);
    }

    static long accepted() {
        return PAGE.get(StatPageDescriptor.ACCEPTED_OFFSET);
    }

    /** Accelerated connections that are open now. */
    static long open() {
        // Ended first: whoever begins and ends between two looks must not make this negative.
        long ended = PAGE.get(StatPageDescriptor.ENDED_OFFSET);
        return connectedAsClient() + accepted() - ended;
    }

    /** Counts an accelerated connection that was reset because its peer broke the protocol. */
    static void violated() {
        PAGE.add(StatPageDescriptor.VIOLATED_OFFSET, 1);
    }

    static long violations() {
        return PAGE.get(StatPageDescriptor.VIOLATED_OFFSET);
    }

    /** Counts what peers do to this JVM. */
    static PeerMonitor peerMonitor() {
        return new PeerMonitor() {
            @Override
            public void strangerRefused() {
                PAGE.add(StatPageDescriptor.STRANGERS_OFFSET, 1);
            }

            @Override
            public void closing(int change) {
                PAGE.add(StatPageDescriptor.CLOSING_OFFSET, change);
            }

            @Override
            public void ringRefused() {
                PAGE.add(StatPageDescriptor.RINGS_REFUSED_OFFSET, 1);
            }

            @Override
            public void mapped(int change) {
                PAGE.add(StatPageDescriptor.MAPPED_OFFSET, change);
            }
        };
    }

    /** Writes of non-blocking channels that found a ring full, and took less than there was. */
    static long writesCut() {
        return PAGE.get(StatPageDescriptor.WRITES_CUT_OFFSET);
    }

    /** Writes of blocking channels that found a ring full, and waited. */
    static long writesWaited() {
        return PAGE.get(StatPageDescriptor.WRITES_WAITED_OFFSET);
    }

    static long onKernelBecause(KernelReason reason) {
        return PAGE.get(StatPageDescriptor.reasonOffset(reason.id()));
    }

    /** Bytes that accelerated connections took from the application. */
    static long bytesSent() {
        long sum = 0;
        for (int part = 0; part < StatPageDescriptor.PARTS; part++) {
            sum += PAGE.get(StatPageDescriptor.sentOffset(part));
        }
        return sum;
    }

    /** Bytes that accelerated connections gave to the application. */
    static long bytesReceived() {
        long sum = 0;
        for (int part = 0; part < StatPageDescriptor.PARTS; part++) {
            sum += PAGE.get(StatPageDescriptor.receivedOffset(part));
        }
        return sum;
    }
}
