// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.nio.stat.Statistics;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.rendezvous.PeerOptions;
import io.pipedevice.peer.stream.PeerSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
    }

    /** Counts connections whose peers break the protocol. A class, because a method reference takes a JVM longer to link. */
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
            listen(nobodyThere, 1, 0, () -> {}).close();
        }
    }

    @Override
    public RingListener listen(InetSocketAddress address, int backlog, int receiveSize, Runnable changed) {
        PeerRingListener listener = new PeerRingListener(this, address, backlog, changed);
        listener.publish();
        return listener;
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
    public RingMeeting meet(InetSocketAddress to, int timeoutMillis) throws KernelFallbackException {
        try {
            PeerLink link = timeoutMillis == UNBOUNDED ? network.meet(to) : network.meetSoon(to, timeoutMillis);
            return new Meeting(link);
        } catch (PeerRefusal e) {
            throw stays(e);
        }
    }

    /** The way through a link. */
    private record Meeting(PeerLink link) implements RingMeeting {
        @Override
        public RingConnection connect(SourcePort from, InetSocketAddress to, RingSizes sizes)
                throws KernelFallbackException {
            return PeersPlacement.connect(link, from, to);
        }
    }

    private static RingConnection connect(PeerLink link, SourcePort from, InetSocketAddress to)
            throws KernelFallbackException {
        try {
            InetAddress source = link.isWithinProcess() ? null : from.free();
            PeerSocket again = source == null ? null : link.connectAgain(source, to);
            return new PeerConnection(again == null ? connectFromNew(link, from, to) : again);
        } catch (PeerRefusal e) {
            throw stays(e);
        }
    }

    private static PeerSocket connectFromNew(PeerLink link, SourcePort from, InetSocketAddress to)
            throws KernelFallbackException, PeerRefusal {
        InetSocketAddress reserved = from.reserve();
        if (link.isWithinProcess()) {
            return link.connect(reserved, to);
        }
        try (Fd port = from.duplicate(reserved)) {
            if (port == null) {
                throw new KernelFallbackException(KernelReason.NO_SOURCE_PORT, "the channel is closed");
            }
            return link.connect(reserved, port, to);
        } catch (LinuxException e) {
            throw new KernelFallbackException(KernelReason.NO_MEMORY, e.getMessage());
        }
    }

    /** The fallback for a refusal. */
    static KernelFallbackException stays(PeerRefusal e) {
        return new KernelFallbackException(reasonOf(e), e.getMessage());
    }

    private static KernelReason reasonOf(PeerRefusal e) {
        return switch (e.reason()) {
            case NO_RENDEZVOUS -> KernelReason.NO_RENDEZVOUS;
            case OTHER_USER -> KernelReason.OTHER_USER;
            case POLICY -> KernelReason.POLICY;
            case OTHER_PROCESS -> KernelReason.OTHER_PROCESS;
            case NO_MEMORY -> KernelReason.NO_MEMORY;
            case BACKLOG_FULL -> KernelReason.BACKLOG_FULL;
            case VERSION, HANDSHAKE_FAILED -> KernelReason.HANDSHAKE_FAILED;
        };
    }
}
