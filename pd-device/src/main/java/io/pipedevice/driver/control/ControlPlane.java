// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.driver.share.SharedQuota;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ThreadConfinement;
import io.pipedevice.linux.UnixSocket;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The control connections of all processes, and everything else that the driver waits for, in one epoll set. Accepts
 * connections, ends those on which no process attaches in time, and serves the others in turn
 * ({@link ControlExchange}). Owns the sockets of sessions that are not attached; belongs to the driver's thread.
 */
public final class ControlPlane implements AutoCloseable {
    private static final System.Logger LOG = new LazyLogger(ControlPlane.class).get();
    private static final LimitedLog FAILED =
            LimitedLog.error(ControlPlane.class, "error while serving a control connection");

    private final LimitedLog notAccepted = LimitedLog.warning(ControlPlane.class, "cannot accept another process: {0}");
    private final LimitedLog notListening =
            LimitedLog.warning(ControlPlane.class, "cannot change the listener''s events: {0}");

    /** Most connections of all processes. */
    public static final int MAX_SESSIONS = 4096;

    /** Key of the quota: namespaces are not distinguished before a process attaches. */
    private static final long ANY_NAMESPACE = 0;

    private static final long ATTACH_PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_EVENTS = 64;

    /** Most unattached connections that are ended at a time. */
    private static final int TURN_STRANGERS = 64;

    /**
     * Limit of a turn. The data of all processes wait while messages are handled, some of which make the kernel
     * allocate memory.
     */
    private static final long TURN_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final long LISTENER = 0;
    private static final long SIGNAL = 1;
    private static final long DIRECTORY = 2;
    private static final long FIRST_SESSION = 3;

    private final Epoll epoll;
    private final Epoll.Events events = new Epoll.Events(MAX_EVENTS);
    private final EventFd signal;
    private final Admission admission;
    private final Disposal disposal;
    private final ControlExchange exchange;
    private final Goodbye goodbye = new Goodbye();
    private final Long2ObjectHashMap<ControlSession> sessions = new Long2ObjectHashMap<>();
    private final ArrayDeque<ControlSession> strangers = new ArrayDeque<>();
    private final SharedQuota quota;
    private final ThreadConfinement confinement = new ThreadConfinement();
    private long nextSession = FIRST_SESSION;
    private boolean accepting = true;

    /** Is readable when the driver's directory has changed; null if that is not watched. */
    private Fd directory;

    private Runnable directoryChanged;

    /** The ready connection to begin with, so that each gets its turn. */
    private int next;

    private final Rounds rounds = new Rounds();
    private long turnStartNs;
    private long turnNs;
    private boolean turnComplete;

    /**
     * Opens the epoll set.
     *
     * @param admission accepts other processes, or null for a driver that only its own process reaches; closed by this
     * @param signal wakes the driver from other threads; closed by its owner
     * @param disposal closes sockets and the descriptors that they received
     * @param most most connections of all processes
     * @throws LinuxException if there are no descriptors
     */
    public ControlPlane(Admission admission, EventFd signal, Disposal disposal, int most) throws LinuxException {
        this.epoll = Epoll.open();
        this.admission = admission;
        this.signal = signal;
        this.disposal = disposal;
        this.exchange = new ControlExchange(epoll);
        this.quota = new SharedQuota(most);
        epoll.add(signal.fd(), Epoll.IN, SIGNAL);
        if (admission != null) {
            epoll.add(admission.listener().fd(), Epoll.IN, LISTENER);
        }
    }

    /**
     * Watches the driver's directory, too, until it changes.
     *
     * @param changes is readable when the directory has changed; closed by its owner; the same one in all calls
     * @param action runs in {@link #poll} at the next change, once
     * @throws LinuxException if it cannot be watched
     */
    public void watchDirectory(Fd changes, Runnable action) throws LinuxException {
        assert confinement.isHeldByCurrentThread();
        if (directory == null) {
            epoll.add(changes, Epoll.IN, DIRECTORY);
            directory = changes;
        } else {
            epoll.modify(changes, Epoll.IN, DIRECTORY);
        }
        directoryChanged = action;
    }

    /**
     * Accepts at another socket. The connections of the one before go on.
     *
     * @param listener takes the place of the one before, which is closed; this closes it in any case
     * @throws LinuxException if it cannot be watched
     */
    public void listenTo(UnixSocket listener) throws LinuxException {
        assert confinement.isHeldByCurrentThread();
        boolean done = false;
        try {
            epoll.add(listener.fd(), accepting ? Epoll.IN : 0, LISTENER);
            admission.listenTo(listener);
            done = true;
        } finally {
            if (!done) {
                listener.close();
            }
        }
    }

    /**
     * Waits, and serves ready connections until the turn is over.
     *
     * @param timeoutMillis longest wait, -1 for ever
     * @param handler gets the messages
     * @return the number of ready descriptors
     * @throws LinuxException if the thread cannot wait
     */
    public int poll(long timeoutMillis, ControlHandler handler) throws LinuxException {
        assert confinement.isHeldByCurrentThread();
        int count = epoll.await(events, timeoutMillis);
        turnStartNs = System.nanoTime();
        if (count > 0) {
            int served = 0;
            boolean all = true;
            do {
                all &= serve(events.data((next + served) % count), handler);
                served++;
            } while (served < count && !isTurnOver());
            next = (next + served) % count;
            turnComplete = all && served == count && count < MAX_EVENTS;
        } else {
            turnComplete = true;
        }
        if (turnComplete || isRoundOver(count)) {
            rounds.end();
        }
        turnNs = System.nanoTime() - turnStartNs;
        return count;
    }

    /**
     * The time when the last turn began, after the wait.
     *
     * @return by System.nanoTime()
     */
    public long turnStartNs() {
        return turnStartNs;
    }

    /**
     * The duration of the last turn, without waiting.
     *
     * @return in nanoseconds
     */
    public long turnNs() {
        return turnNs;
    }

    /**
     * Whether the last turn has handled every message that was sent before it began.
     *
     * @return false if it took too long for that, or a session has sent too many
     */
    public boolean isTurnComplete() {
        return turnComplete;
    }

    /**
     * The number of rounds that are over. Between two calls with results that differ by two or more, every session has
     * been served until it had no message left, or several times.
     *
     * @return grows
     */
    public long rounds() {
        return rounds.ended();
    }

    /** Whether each of the ready sessions has been served enough in this round. */
    private boolean isRoundOver(int ready) {
        for (int i = 0; i < ready; i++) {
            ControlSession session = sessions.get(events.data(i));
            if (session != null && !rounds.hasServed(session)) {
                return false;
            }
        }
        return true;
    }

    private boolean isTurnOver() {
        return System.nanoTime() - turnStartNs > TURN_NS;
    }

    /** Whether nothing is left to do for a ready descriptor. */
    private boolean serve(long data, ControlHandler handler) throws LinuxException {
        if (data == LISTENER) {
            accept(handler);
        } else if (data == SIGNAL) {
            signal.drain();
        } else if (data == DIRECTORY) {
            epoll.modify(directory, 0, DIRECTORY);
            directoryChanged.run();
        } else {
            ControlSession session = sessions.get(data);
            return session == null || serve(session, handler);
        }
        return true;
    }

    private boolean serve(ControlSession session, ControlHandler handler) {
        boolean drained = true;
        try {
            drained = exchange.serve(session, handler, turnStartNs + TURN_NS);
        } catch (RuntimeException | Error e) {
            // A defect of the driver, or a lack of memory: only this session ends.
            FAILED.log(e);
            handler.misbehaved(session, "message that the driver cannot handle: " + e);
        }
        rounds.served(session, drained);
        return drained;
    }

    private void accept(ControlHandler handler) {
        if (admission.isCrowded()) {
            listen(false);
            return;
        }
        try {
            Admission.Entry entry = admission.accept();
            if (entry != null) {
                add(entry.socket(), entry.ofProcess(), handler);
            }
        } catch (LinuxException e) {
            notAccepted.log(e.getMessage());
            listen(false);
        }
    }

    /**
     * Watches the listener or not. With no descriptor left, a listener that stays readable would keep the driver awake
     * without use.
     */
    private void listen(boolean on) {
        if (accepting != on) {
            try {
                epoll.modify(admission.listener().fd(), on ? Epoll.IN : 0, LISTENER);
                accepting = on;
            } catch (LinuxException e) {
                notListening.log(e.getMessage());
            }
        }
    }

    /**
     * Adds a socket of the driver's own process, and takes ownership of it.
     *
     * @param socket the driver's end
     * @param handler of its messages
     * @throws LinuxException if the socket cannot be watched
     */
    public void add(UnixSocket socket, ControlHandler handler) throws LinuxException {
        assert confinement.isHeldByCurrentThread();
        add(socket, new AtomicInteger(1), handler);
    }

    private void add(UnixSocket socket, AtomicInteger ofProcess, ControlHandler handler) throws LinuxException {
        ControlSession session;
        try {
            int user = socket.peerCredentials().uid();
            if (!quota.take(user, ANY_NAMESPACE, 1)) {
                handler.overShare();
                goodbye.say(socket, Errno.EMFILE, "the user has used its share of the driver's control connections");
                close(socket, ofProcess);
                return;
            }
            session = new ControlSession(nextSession++, socket, disposal, ofProcess, user);
        } catch (LinuxException e) {
            close(socket, ofProcess);
            throw e;
        }
        try {
            epoll.add(socket.fd(), Epoll.IN, session.id);
        } catch (LinuxException e) {
            quota.give(session.user, ANY_NAMESPACE, 1);
            close(socket, ofProcess);
            throw e;
        }
        sessions.put(session.id, session);
        strangers.add(session);
    }

    private void close(UnixSocket socket, AtomicInteger ofProcess) {
        try {
            // Shut the socket down first, because the close may have to wait for other closes of its process.
            socket.shutdown(true, true);
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "the other end is gone: {0}", e.getMessage());
        }
        disposal.account(ofProcess).close(socket, ofProcess::decrementAndGet);
    }

    /**
     * Handles timeouts: accepts again, and ends connections on which no process attached in time.
     *
     * @param nowNs the time
     * @param handler is informed of the connections that end
     */
    public void expire(long nowNs, ControlHandler handler) {
        assert confinement.isHeldByCurrentThread();
        listen(true);
        for (int i = 0; i < TURN_STRANGERS && !strangers.isEmpty(); i++) {
            ControlSession oldest = strangers.peek();
            boolean served = !oldest.isStranger() || !oldest.open;
            if (!served && nowNs - oldest.sinceNs < ATTACH_PATIENCE_NS) {
                return;
            }
            strangers.remove();
            if (!served) {
                handler.misbehaved(oldest, "it connected but did not attach");
            }
        }
    }

    /**
     * Whether {@link #expire} must be called after a while.
     *
     * @return whether a timeout is set
     */
    public boolean waitsForTime() {
        return !accepting || !strangers.isEmpty();
    }

    /**
     * Sends the reason, removes a session and closes its socket.
     *
     * @param session any
     * @param reason for the other end
     */
    public void dismiss(ControlSession session, String reason) {
        if (session.open) {
            goodbye.say(session.socket, Errno.EPROTO, reason);
            remove(session);
        }
    }

    /**
     * Removes a session and closes its socket.
     *
     * @param session any
     */
    public void remove(ControlSession session) {
        assert confinement.isHeldByCurrentThread();
        if (!session.open) {
            return;
        }
        session.open = false;
        sessions.remove(session.id);
        quota.give(session.user, ANY_NAMESPACE, 1);
        exchange.forget(session);
        try {
            epoll.remove(session.socket.fd());
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "cannot be removed from the epoll set: {0}", e.getMessage());
        }
        close(session.socket, session.ofProcess);
    }

    @Override
    public void close() {
        for (ControlSession session : sessions.values().toArray(new ControlSession[0])) {
            remove(session);
        }
        if (admission != null) {
            admission.close();
        }
        epoll.close();
    }
}
