// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.RefusedSockets;
import io.pipedevice.linux.UnixSocket;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accepts the connections of processes, up to a limit for each process, and sends a refused process the reason. Owns
 * the listening socket; belongs to the driver's thread.
 *
 * <p>A connection counts until its descriptor is really closed, which a process can delay ({@link Disposal}).
 * {@link RefusedSockets} closes refused connections, in an account for each user.
 */
public final class Admission implements AutoCloseable {
    /** Most connections of one process. */
    public static final int MAX_OF_PROCESS = 16;

    private static final int MIN_DESCRIPTORS = 16;

    private static final System.Logger LOG = new LazyLogger(Admission.class).get();

    private final LimitedLog notAdmitted = LimitedLog.warning(Admission.class, "a process is not admitted: {0}");

    /** A connection, and the count of its process's connections, which is decremented when the connection is closed. */
    record Entry(UnixSocket socket, AtomicInteger ofProcess) {}

    private UnixSocket listener;
    private final Disposal disposal;
    private final DriverCounters counters;

    private final RefusedSockets refused;
    private final Goodbye goodbye = new Goodbye();
    private final Map<Integer, AtomicInteger> ofProcess = new HashMap<>();

    /**
     * A reserved descriptor. When all others are in use, it is closed so that a process can be accepted and sent the
     * reason for its refusal.
     */
    private EventFd spare;

    /**
     * Accepts control connections.
     *
     * @param listener the driver's socket; closed by this
     * @param disposal closes sockets and the descriptors that they received
     * @param counters of the driver
     * @param guarded whether the kernel refuses descriptors before admission
     * @throws LinuxException if the listener cannot be used
     */
    public Admission(UnixSocket listener, Disposal disposal, DriverCounters counters, boolean guarded)
            throws LinuxException {
        this.listener = listener;
        this.disposal = disposal;
        this.counters = counters;
        this.refused = new RefusedSockets(listener, disposal, guarded);
        this.spare = EventFd.open();
        listener.nonBlocking(true);
    }

    /**
     * The default for the most descriptors that the driver has open for an attachment. A process, which may attach
     * {@link #MAX_OF_PROCESS} times, gets at most half of the driver's descriptors.
     *
     * @param openFiles the driver's limit
     * @return at least 16
     */
    public static int descriptorShare(long openFiles) {
        long share = openFiles / (2L * MAX_OF_PROCESS);
        return (int) Math.min(Math.max(share, MIN_DESCRIPTORS), Integer.MAX_VALUE);
    }

    /**
     * Accepts the next connection that may be served.
     *
     * @return null if there is none now
     * @throws LinuxException if there is no descriptor left, not even for a refusal
     */
    Entry accept() throws LinuxException {
        restoreSpare();
        UnixSocket socket;
        try {
            socket = listener.accept();
        } catch (LinuxException e) {
            if (spare == null || (e.errno() != Errno.EMFILE && e.errno() != Errno.ENFILE)) {
                throw e;
            }
            refuseForLackOfDescriptors(e);
            return null;
        }
        return socket == null ? null : admit(socket);
    }

    /** Whether refused connections cannot be closed soon, so that the driver should accept none now. */
    boolean isCrowded() {
        return refused.isCrowded();
    }

    private Entry admit(UnixSocket socket) throws LinuxException {
        UnixSocket.Credentials peer;
        try {
            peer = socket.peerCredentials();
        } catch (LinuxException e) {
            disposal.close(socket);
            throw e;
        }
        int pid = peer.pid();
        if (pid == 0) {
            refuse(socket, peer, Errno.EPERM, "the driver cannot see this process, which is in another PID namespace");
            return null;
        }
        ofProcess.values().removeIf(count -> count.get() == 0);
        AtomicInteger count = ofProcess.computeIfAbsent(pid, key -> new AtomicInteger());
        if (count.get() >= MAX_OF_PROCESS) {
            refuse(socket, peer, Errno.EMFILE, "process " + pid + " already has " + MAX_OF_PROCESS + " connections");
            return null;
        }
        if (disposal.isFull()) {
            refuse(socket, peer, Errno.EMFILE, "the driver waits for descriptors of other processes to be closed");
            return null;
        }
        permit(socket);
        count.incrementAndGet();
        return new Entry(socket, count);
    }

    private void refuseForLackOfDescriptors(LinuxException why) throws LinuxException {
        spare.close();
        spare = null;
        UnixSocket socket = listener.accept();
        if (socket != null) {
            refuse(socket, socket.peerCredentials(), why.errno(), "the driver has no file descriptor left");
        }
    }

    private void restoreSpare() {
        if (spare == null) {
            try {
                spare = EventFd.open();
            } catch (LinuxException e) {
                LOG.log(Level.DEBUG, "cannot reserve a descriptor: {0}", e.getMessage());
            }
        }
    }

    private void permit(UnixSocket socket) throws LinuxException {
        try {
            refused.permit(socket);
        } catch (LinuxException e) {
            socket.close();
            throw e;
        }
    }

    private void refuse(UnixSocket socket, UnixSocket.Credentials peer, int errno, String reason) {
        counters.notAdmitted.add(1);
        notAdmitted.log(reason);
        goodbye.say(socket, errno, reason);
        refused.close(socket, disposal.accountOfUser(peer.uid()));
    }

    /** Accepts at another socket, which this closes, too, instead of the one before, which is closed now. */
    void listenTo(UnixSocket renewed) throws LinuxException {
        renewed.nonBlocking(true);
        refused.guard(renewed);
        listener.close();
        listener = renewed;
    }

    UnixSocket listener() {
        return listener;
    }

    @Override
    public void close() {
        listener.close();
        if (spare != null) {
            spare.close();
        }
    }
}
