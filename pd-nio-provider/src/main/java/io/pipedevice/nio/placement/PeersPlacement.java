// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.nio.stat.Statistics;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.rendezvous.PeerOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/** Rings in the memory of the two processes that they join, without a driver. Thread safe. Lives as long as the JVM. */
public final class PeersPlacement implements Placement {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    private final Locality locality;
    private final PeerNetwork network;
    private final AtomicBoolean isReady = new AtomicBoolean();

    /**
     * Creates the placement, without links to other processes.
     *
     * @param options of all its connections
     * @param locality the addresses that it reaches
     */
    public PeersPlacement(PeerOptions options, Locality locality) {
        this.network = new PeerNetwork(options, new Violation(), Statistics.peerMonitor());
        this.locality = locality;
        Statistics.watchRings();
    }

    /**
     * Counts connections whose peers break the protocol. A class, because a method reference takes a JVM longer to
     * link.
     */
    static final class Violation implements Runnable {
        @Override
        public void run() {
            Statistics.violated();
        }
    }

    @Override
    public void warmUp() {
        if (isReady.compareAndSet(false, true)) {
            InetSocketAddress nobodyThere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            RingListener listener = new PeerRingListener(this, 1, () -> {});
            listener.publish(nobodyThere);
            listener.close();
        }
    }

    @Override
    public RingListener listen(
            ServerSocketChannel kernel, InetSocketAddress address, int backlog, int receiveSize, Runnable changed) {
        return new PeerRingListener(this, backlog, changed);
    }

    /** Publishes a listener; null if that fails, and its clients use the kernel. */
    PeerListener publish(InetSocketAddress address, int backlog) {
        try {
            return network.listen(address, backlog);
        } catch (PdException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "clients of " + address + " use the kernel: " + e.getMessage());
            return null;
        }
    }

    @Override
    public boolean reaches(InetAddress address) {
        return locality.isUnambiguous(address);
    }

    @Override
    public boolean hasNoListener(InetSocketAddress to) {
        return network.isUnknown(to);
    }

    @Override
    public RingMeeting meet(InetSocketAddress to, int timeoutMillis) throws KernelFallbackException {
        try {
            PeerLink link = timeoutMillis == UNBOUNDED ? network.meet(to) : network.meetSoon(to, timeoutMillis);
            return new PeerMeeting(link);
        } catch (PeerRefusal e) {
            throw PeerMeeting.stays(e);
        }
    }
}
