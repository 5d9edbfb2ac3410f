// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import io.pipedevice.memory.RingBudget;
import io.pipedevice.peer.ring.PeerMonitor;
import java.io.IOException;
import java.net.InetAddress;

/**
 * The counters of this JVM, from its start to its end. Thread safe.
 *
 * <p>A channel calls {@link #connected}, {@link #onKernel} or {@link #connectingByKernel} once, as soon as its
 * transport is decided. It keeps the returned record, and adds the bytes that it moves.
 */
public final class Statistics {
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

    private static final RingBudget.Monitor RING_MONITOR = new RingBudget.Monitor() {
        @Override
        public void most(long most) {
            PAGE.add(StatPageDescriptor.RING_BUDGET_OFFSET, most - ringBudget());
        }

        @Override
        public void used(long change) {
            PAGE.add(StatPageDescriptor.RING_BYTES_OFFSET, change);
        }

        @Override
        public void refused() {
            PAGE.add(StatPageDescriptor.GROWTHS_REFUSED_OFFSET, 1);
        }
    };

    private Statistics() {}

    /**
     * Returns why the counters are not published.
     *
     * @return the failure to get shared memory for them; null if they are published
     */
    public static IOException whyUnpublished() {
        return WHY_UNPUBLISHED;
    }

    /**
     * Counts a connection on rings.
     *
     * @param client whether this end connected, rather than accepted
     * @param path of its data
     * @return its record, which is established
     */
    public static ConnectionRecord connected(boolean client, RingPath path) {
        PAGE.add(client ? StatPageDescriptor.CLIENT_OFFSET : StatPageDescriptor.ACCEPTED_OFFSET, 1);
        if (path == RingPath.DEVICE) {
            PAGE.add(StatPageDescriptor.DEVICE_OFFSET, 1);
        }
        return established(new ConnectionRecord(PAGE, path));
    }

    /**
     * Counts a connection that stays on the kernel.
     *
     * @param reason why it stays there
     * @return its record, which is established
     */
    public static ConnectionRecord onKernel(KernelReason reason) {
        return established(connectingByKernel(reason));
    }

    /**
     * Begins the record of a connection that the kernel may yet refuse. The channel calls {@link #established} if it
     * does not.
     *
     * @param reason why it stays on the kernel
     * @return its record, which is not counted yet
     */
    public static ConnectionRecord connectingByKernel(KernelReason reason) {
        return new ConnectionRecord(PAGE, reason);
    }

    /**
     * Publishes the other end of a connection on the kernel, if the page has an entry left for it.
     *
     * @param reason why the connection stays on the kernel
     * @param client whether this end connected, rather than accepted
     * @param address the other end's
     * @param port the server's, on whichever end the server is
     */
    public static void onKernelWith(KernelReason reason, boolean client, InetAddress address, int port) {
        KERNEL_ENDS.count(reason, client, address, port);
    }

    /**
     * Publishes why this JVM has no accelerated connections. Called at most once.
     *
     * @param why one sentence
     */
    public static void off(String why) {
        PAGE.describeOff(why);
    }

    /**
     * Publishes a class of Netty that tells the program now that its transport is unavailable.
     *
     * @param name of the class
     */
    public static void switched(String name) {
        PAGE.describeSwitched(name);
    }

    /**
     * Counts a connection from now on. Called once for each.
     *
     * @param connection its record
     * @return the same
     */
    public static ConnectionRecord established(ConnectionRecord connection) {
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

    /** Accelerated connections through a driver's device, at either end. */
    static long throughDevice() {
        return PAGE.get(StatPageDescriptor.DEVICE_OFFSET);
    }

    /** Accelerated connections whose processes read each other's rings, at either end. */
    static long direct() {
        long device = throughDevice();
        return connectedAsClient() + accepted() - device;
    }

    /** Accelerated connections that are open now. */
    static long open() {
        // Ended first: a connection that begins and ends between two reads must not make this negative.
        long ended = PAGE.get(StatPageDescriptor.ENDED_OFFSET);
        return connectedAsClient() + accepted() - ended;
    }

    /** Counts a connection on rings that was reset because its peer broke the protocol. */
    public static void violated() {
        PAGE.add(StatPageDescriptor.VIOLATED_OFFSET, 1);
    }

    static long violations() {
        return PAGE.get(StatPageDescriptor.VIOLATED_OFFSET);
    }

    /**
     * Returns a monitor that counts refused clients, and the mappings and descriptors of peers, in this JVM's page.
     *
     * @return thread safe
     */
    public static PeerMonitor peerMonitor() {
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

    /** Counts the rings of this process in its page from now on. A second call changes nothing. */
    public static void watchRings() {
        RingBudget.monitorProcess(RING_MONITOR);
    }

    /** Bytes of the rings of this process. */
    static long ringBytes() {
        return PAGE.get(StatPageDescriptor.RING_BYTES_OFFSET);
    }

    /** How many such bytes there may be. */
    static long ringBudget() {
        return PAGE.get(StatPageDescriptor.RING_BUDGET_OFFSET);
    }

    /** How often a ring did not grow because of that. */
    static long growthsRefused() {
        return PAGE.get(StatPageDescriptor.GROWTHS_REFUSED_OFFSET);
    }

    /** Writes of non-blocking channels that found a ring full, and took a part of their bytes. */
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

    /** Bytes that connections on rings took from the program. */
    static long bytesSent() {
        long sum = 0;
        for (int part = 0; part < StatPageDescriptor.PARTS; part++) {
            sum += PAGE.get(StatPageDescriptor.sentOffset(part));
        }
        return sum;
    }

    /** Bytes that connections on rings gave to the program. */
    static long bytesReceived() {
        long sum = 0;
        for (int part = 0; part < StatPageDescriptor.PARTS; part++) {
            sum += PAGE.get(StatPageDescriptor.receivedOffset(part));
        }
        return sum;
    }
}
