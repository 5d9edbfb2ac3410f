// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.broker.Broker;
import io.pipedevice.broker.Introduction;
import io.pipedevice.broker.ListeningSocket;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.nio.stat.Statistics;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.rendezvous.PeerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import sun.nio.ch.SelChImpl;

/**
 * Rings of the driver process that the program names. They reach all processes that the driver serves. Thread safe.
 * Lives as long as the JVM.
 */
public final class DriverPlacement implements Placement {
    /** Property: the directory of the driver to attach to. */
    public static final String DRIVER_PROPERTY = "pipedevice.driver";

    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");
    private static final String NOT_SERVED =
            DRIVER_PROPERTY + " = {0}: {1}; connections stay on kernel TCP until a driver serves there";
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    /** After an attempt that found no driver, which takes some microseconds. */
    private static final long ABSENT_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * Attempts to reach a driver that does not answer take at most one part in this number of the program's time. It is
     * tried again at once when it answers the broker.
     */
    private static final int RETRY_SHARE = 10;

    /** The errors if no driver runs, or it ends during the attempt. */
    private static final Set<Integer> ABSENT =
            Set.of(Errno.ENOENT, Errno.ECONNREFUSED, Errno.ENODEV, Errno.ECONNRESET, Errno.EPIPE);

    /** With this many sockets or more, rings are smaller, so that thousands of connections find memory. */
    private static final int FEW_SOCKETS = 32;

    private static final int MANY_SOCKETS = 256;
    private static final int MOST_LINES = 4;

    private final Path directory;
    private final PdOptions options;
    private final Locality locality;
    private final int handshakeMillis;
    private final Broker broker;
    private final OutsideHosts outside = new OutsideHosts(System::nanoTime);
    private final DriverReturn comeback = new DriverReturn(this);
    private final ReentrantLock lock = new ReentrantLock();

    /** Null while there is none; changed under {@link #lock}. */
    private volatile DriverAttachment current;

    /** Guarded by {@link #lock}, which is held during an attempt to attach. */
    private long retryAtNs = System.nanoTime();

    /**
     * Whether the driver has not answered the last attempt, and its answer to the broker is awaited; guarded by
     * {@link #lock}.
     */
    private boolean knocked;

    /** Whether the last attempt to attach failed; changed under {@link #lock}. */
    private volatile boolean inVain;

    /** Why this user may not use the driver, found by the last attempt; null if it may; changed under {@link #lock}. */
    private volatile String denial;

    /** Several in a minute: the reason may change. */
    private final LimitedLog notServed =
            LimitedLog.of("io.pipedevice", System.Logger.Level.WARNING, NOT_SERVED, MOST_LINES);

    /** The message that was logged last; guarded by {@link #lock}. */
    private String said = "";

    /**
     * Creates the placement, without an attachment.
     *
     * @param directory the directory of the driver, which may start later
     * @param options of attachments; no longer changed
     * @param peerOptions of the connections that a driver introduces
     * @param locality the addresses of this network namespace
     */
    public DriverPlacement(Path directory, PdOptions options, PeerOptions peerOptions, Locality locality) {
        Statistics.watchRings();
        this.directory = directory;
        this.handshakeMillis = peerOptions.handshakeMillis();
        PeerNetwork network = new PeerNetwork(peerOptions, new PeersPlacement.Violation(), Statistics.peerMonitor());
        this.broker = new Broker(DriverDirectory.at(directory)::connect, network);
        this.options = options;
        this.locality = locality;
    }

    @Override
    public void warmUp() {
        attach();
    }

    @Override
    public RingListener listen(
            ServerSocketChannel kernel, InetSocketAddress address, int backlog, int receiveSize, Runnable changed) {
        DriverListener listener = new DriverListener(this, comeback, kernel, backlog, receiveSize, changed);
        if (address != null) {
            listener.announce(address);
        }
        return listener;
    }

    /**
     * Announces a listener to the driver, which answers clients' questions about it from now on.
     *
     * @param address the one that it is bound to, or is going to be
     */
    HeldConnections announce(ServerSocketChannel kernel, InetSocketAddress address, int backlog) {
        return new HeldConnections(
                locality, broker.listen(address, socketOf(kernel, address), backlog, HeldConnections::close));
    }

    /** The kernel's socket of a listener; null if neighbours cannot find it, and use the device. */
    private static ListeningSocket socketOf(ServerSocketChannel kernel, InetSocketAddress address) {
        try {
            InetSocketAddress bound = (InetSocketAddress) kernel.getLocalAddress();
            return ListeningSocket.of(
                    ((SelChImpl) kernel).getFDVal(), bound == null ? new InetSocketAddress(0) : bound);
        } catch (IOException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "the socket of {0} is not found: {1}", address, e.getMessage());
            return null;
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Connections to other addresses are {@link #introduce introduced}, and so are those to an address of this host
     * at which the driver knows no listener.
     */
    @Override
    public boolean reaches(InetAddress address) {
        return locality.isUnambiguous(address);
    }

    @Override
    public boolean hasNoListener(InetSocketAddress to) {
        return broker.isUnknown(to);
    }

    @Override
    public KernelMeeting introduce(SocketChannel kernel, InetSocketAddress to) throws KernelFallbackException {
        if (to.getAddress().isLinkLocalAddress() || to.getPort() == 0) {
            return null;
        }
        Destination destination = new Destination(to, locality.isLocal(to.getAddress()), outside, broker);
        destination.check();
        broker.join();
        if (!broker.isJoined()) {
            return null;
        }
        try {
            if (kernel.getLocalAddress() == null) {
                kernel.bind(null);
            }
            InetSocketAddress bound = (InetSocketAddress) kernel.getLocalAddress();
            Introduction introduction = broker.intend(bound.getPort(), to);
            return introduction == null
                    ? null
                    : new KernelMeeting(
                            this::connectByDevice,
                            introduction,
                            destination,
                            kernel,
                            TimeUnit.MILLISECONDS.toNanos(handshakeMillis));
        } catch (IOException e) {
            // The kernel's connect fails, or finds a port itself.
            LOG.get().log(System.Logger.Level.DEBUG, "no port for a connection to {0}: {1}", to, e.getMessage());
            return null;
        }
    }

    @Override
    public RingMeeting meet(InetSocketAddress to, int timeoutMillis) throws KernelFallbackException {
        DriverMeeting byDevice = deviceMeeting();
        try {
            PeerLink link = broker.neighbour(to, timeoutMillis != UNBOUNDED);
            return link == null ? byDevice : new PeerMeeting(link);
        } catch (PeerRefusal e) {
            throw PeerMeeting.stays(e);
        }
    }

    private RingConnection connectByDevice(long number, InetSocketAddress to, RingSizes sizes)
            throws KernelFallbackException, SocketException {
        return deviceMeeting().connect(number, to, sizes);
    }

    /** The way through the driver's device. */
    DriverMeeting deviceMeeting() throws KernelFallbackException {
        DriverAttachment attachment = attach();
        if (attachment == null) {
            throw new KernelFallbackException(whyNone(), denial);
        }
        return new DriverMeeting(this, attachment);
    }

    /** Why there is no attachment. */
    KernelReason whyNone() {
        return denial == null ? KernelReason.DRIVER_GONE : KernelReason.DRIVER_NOT_PERMITTED;
    }

    /** Whether a driver serves this JVM, as far as is known. Any thread; takes no lock. */
    boolean isAttached() {
        DriverAttachment attachment = current;
        return attachment != null && attachment.isServed();
    }

    /** Whether the driver has not answered yet that this JVM takes part in introductions. Any thread; takes no lock. */
    boolean isUnanswered() {
        return broker.isUnanswered();
    }

    /** The best size of a new ring, in bytes. */
    int ringSize() {
        DriverAttachment attachment = current;
        int sockets = attachment == null ? 0 : attachment.sockets();
        if (sockets < FEW_SOCKETS) {
            return RingBuffer.DEFAULT_SIZE;
        }
        return sockets < MANY_SOCKETS ? RingBuffer.DEFAULT_SIZE >> 2 : RingBuffer.DEFAULT_SIZE >> 4;
    }

    /**
     * Handles a failed call of an attachment: if its driver is gone, new connections look for another one from now on.
     */
    void failed(DriverAttachment attachment) {
        if (attachment.isServed()) {
            return;
        }
        // Check without the lock: a thread that holds it, perhaps for long, to attach anew has cleared the field
        // already.
        if (current == attachment) {
            forget(attachment);
        }
        attachment.retire();
    }

    private void forget(DriverAttachment attachment) {
        lock.lock();
        try {
            if (current == attachment) {
                current = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The attachment, created when first needed and again after its driver died; null if there is no driver. */
    DriverAttachment attach() {
        DriverAttachment attachment = attached();
        if (attachment != null) {
            // The driver has answered just now.
            broker.join();
        }
        return attachment;
    }

    private DriverAttachment attached() {
        DriverAttachment attachment = current;
        if (attachment != null) {
            if (attachment.isServed()) {
                return attachment;
            }
            failed(attachment);
        }
        if (!lock.tryLock()) {
            if (inVain) {
                return null;
            }
            lock.lock();
        }
        try {
            if (current == null && (System.nanoTime() - retryAtNs >= 0 || hasAnswered())) {
                tryToAttach();
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a driver that did not answer the last attempt answers now, or has ended. */
    private boolean hasAnswered() {
        if (!knocked) {
            return false;
        }
        broker.join();
        return !broker.isUnanswered();
    }

    private void tryToAttach() {
        long startNs = System.nanoTime();
        retryAtNs = startNs + RETRY_NS;
        knocked = false;
        try {
            DriverAttachment made = new DriverAttachment(PipeDevice.init(DriverDirectory.at(directory), options));
            // Before another thread sees the attachment, and publishes a listener.
            broker.joinServing();
            current = made;
            inVain = false;
            denial = null;
            retryAtNs = System.nanoTime() + ABSENT_RETRY_NS;
        } catch (IOException | IllegalArgumentException e) {
            denial = e instanceof PdException why && why.errno() == Errno.EACCES ? e.getMessage() : null;
            boolean absent = ABSENT.contains(errno(e));
            report(e, absent);
            inVain = true;
            knocked = errno(e) == Errno.ETIMEDOUT && broker.knock();
            long nowNs = System.nanoTime();
            retryAtNs = nowNs + (absent ? ABSENT_RETRY_NS : pauseNs(nowNs - startNs));
        }
    }

    /** The errno of a failure; 0 if it has none. */
    private static int errno(Exception e) {
        return e instanceof PdException why ? why.errno() : e instanceof LinuxException system ? system.errno() : 0;
    }

    private static long pauseNs(long tookNs) {
        return tookNs > RETRY_NS ? RETRY_SHARE * tookNs : RETRY_NS;
    }

    /**
     * Logs a failed attempt. A driver may start later, so its absence is no warning if its directory exists. A driver
     * that is there but does not serve may never do so.
     */
    private void report(Exception e, boolean absent) {
        boolean expected = absent && Files.exists(directory);
        String why = absent && !expected ? "this directory does not exist" : e.getMessage();
        if (why.equals(said)) {
            return;
        }
        said = why;
        if (expected) {
            LOG.get().log(System.Logger.Level.DEBUG, NOT_SERVED, directory, why);
        } else {
            notServed.log(directory, why);
        }
    }
}
