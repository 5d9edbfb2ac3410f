// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.lib.ControlMessage;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The control connections of all containers, and what else the driver waits for, in one epoll set. Receives messages,
 * has them handled, and answers. Owns the sockets of sessions that are not attached; belongs to the driver's thread.
 */
final class ControlPlane implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlPlane.class.getName());

    /** Most connections of all processes. */
    static final int MAX_SESSIONS = 4096;

    /** Namespaces are looked at when a process attaches. */
    private static final long ANY_NAMESPACE = 0;

    private static final long ATTACH_PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_EVENTS = 64;
    private static final int TURN_MESSAGES = 16;

    /** Connections on which nobody attached that are ended at a time. */
    private static final int TURN_STRANGERS = 64;

    /** Everybody's data wait as long as messages are handled, some of which have the kernel make memory. */
    private static final long TURN_NS = TimeUnit.MICROSECONDS.toNanos(200);

    /**
     * Unwanted descriptors of a process that are being closed, beside its connections: an honest one sends no two at a
     * time, and more would keep too many of the threads that close.
     */
    private static final int MAX_CLOSING = 8;

    private static final long LISTENER = 0;
    private static final long SIGNAL = 1;
    private static final long FIRST_SESSION = 2;

    /** A connection: first only a socket, a container's once it has attached. */
    static final class Session {
        final long id;
        final UnixSocket socket;
        final long sinceNs = System.nanoTime();
        private final AtomicInteger ofProcess;
        private final int user;
        Container container;

        /** Whether it only looks at the counters. */
        boolean observes;

        /** {@link Attachments}: of a process that is about to become a container. */
        Arrival arrival;

        /** {@link Containers}: whether its large rings and addresses were looked after before the postponed message. */
        boolean prepared;

        /** {@link Containers}: whether what was posted before the postponed message has been taken. */
        boolean drained;

        /** A message that is handled later, and what came along; nothing is received meanwhile. */
        private ControlMessage postponed;

        private ReceivedFds postponedFds;

        Session(long id, UnixSocket socket, AtomicInteger ofProcess, int user) {
            this.user = user;
            this.id = id;
            this.socket = socket;
            this.ofProcess = ofProcess;
        }

        boolean isStranger() {
            return container == null && !observes;
        }
    }

    /** What is done about messages and ends; called on the driver's thread. */
    interface Handler {
        /**
         * Handles a request in place and leaves its answer there; returns the descriptors to send along, or null if the
         * request is to be handled again after {@link ControlPlane#resume}.
         */
        Fd[] handle(Session session, ControlMessage message, ReceivedFds fds) throws Refusal;

        /** The answer was sent, and what went along with it. */
        void answered();

        /** A connection was refused because of the room that is kept for other users. */
        void overShare();

        /** The session broke a rule. */
        void misbehaved(Session session, String reason);

        /** The other end is gone. */
        void ended(Session session);
    }

    private final Epoll epoll;
    private final Epoll.Events events = new Epoll.Events(MAX_EVENTS);
    private final EventFd signal;
    private final Admission admission;
    private final Disposal disposal;
    private final Handler handler;
    private final Long2ObjectHashMap<Session> sessions = new Long2ObjectHashMap<>();
    private final ArrayDeque<Session> strangers = new ArrayDeque<>();
    private final ControlMessage message = new ControlMessage();
    private ReceivedFds fds;
    private final SharedQuota quota;
    private long nextSession = FIRST_SESSION;

    /** Whose messages are being received and handled. */
    private Session serving;

    private boolean accepting = true;

    /** Where to begin among those that are ready, so that each has its turn. */
    private int next;

    private long turnStartNs;
    private long turnNs;

    /**
     * Opens the epoll set.
     *
     * @param admission lets other processes in, or null for a driver that is only reached from its own; closed by this
     * @param signal wakes the driver from other threads; closed by its owner
     * @param disposal closes sockets and what came through them
     * @param handler handles messages
     * @param most how many connections all processes may have
     */
    ControlPlane(Admission admission, EventFd signal, Disposal disposal, Handler handler, int most)
            throws LinuxException {
        this.epoll = Epoll.open();
        this.admission = admission;
        this.signal = signal;
        this.disposal = disposal;
        this.handler = handler;
        this.quota = new SharedQuota(most);
        this.fds = newFds();
        epoll.add(signal.fd(), Epoll.IN, SIGNAL);
        if (admission != null) {
            epoll.add(admission.listener().fd(), Epoll.IN, LISTENER);
        }
    }

    /** Waits at most so long, and serves what is there, as far as it comes in one turn. */
    int poll(long timeoutMillis) throws LinuxException {
        int count = epoll.await(events, timeoutMillis);
        turnStartNs = System.nanoTime();
        if (count > 0) {
            int served = 0;
            do {
                serve(events.data((next + served) % count));
                served++;
            } while (served < count && !isTurnOver());
            next = (next + served) % count;
        }
        turnNs = System.nanoTime() - turnStartNs;
        return count;
    }

    /** When the last turn began, after the wait. */
    long turnStartNs() {
        return turnStartNs;
    }

    /** How long the last turn took, without waiting. */
    long turnNs() {
        return turnNs;
    }

    private boolean isTurnOver() {
        return System.nanoTime() - turnStartNs > TURN_NS;
    }

    private void serve(long data) throws LinuxException {
        if (data == LISTENER) {
            accept();
        } else if (data == SIGNAL) {
            signal.drain();
        } else {
            Session session = sessions.get(data);
            if (session != null) {
                serve(session);
            }
        }
    }

    private void accept() {
        if (admission.isCrowded()) {
            listen(false);
            return;
        }
        try {
            Admission.Entry entry = admission.accept();
            if (entry != null) {
                add(entry.socket(), entry.ofProcess());
            }
        } catch (LinuxException e) {
            LOG.log(Level.WARNING, "cannot accept another process: {0}", e.getMessage());
            listen(false);
        }
    }

    /** With no descriptor left, a listener that stays readable would keep the driver awake for nothing. */
    private void listen(boolean on) {
        if (accepting != on) {
            try {
                epoll.modify(admission.listener().fd(), on ? Epoll.IN : 0, LISTENER);
                accepting = on;
            } catch (LinuxException e) {
                LOG.log(Level.WARNING, "cannot change what the listener waits for: {0}", e.getMessage());
            }
        }
    }

    /** Takes over a socket of the driver's own process. */
    void add(UnixSocket socket) throws LinuxException {
        add(socket, new AtomicInteger(1));
    }

    private void add(UnixSocket socket, AtomicInteger ofProcess) throws LinuxException {
        Session session;
        try {
            int user = socket.peerCredentials().uid();
            if (!quota.take(user, ANY_NAMESPACE, 1)) {
                handler.overShare();
                sayGoodbye(socket, message, Errno.EMFILE, "the user has its share of the driver's control connections");
                close(socket, ofProcess);
                return;
            }
            session = new Session(nextSession++, socket, ofProcess, user);
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
            // The close may be behind others of this process, for long.
            socket.shutdown(true, true);
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "the other end is gone: {0}", e.getMessage());
        }
        disposal.account(ofProcess).close(socket, ofProcess::decrementAndGet);
    }

    /** What only time brings: accepts again, and ends connections on which nobody attached. */
    void expire(long nowNs) {
        listen(true);
        for (int i = 0; i < TURN_STRANGERS && !strangers.isEmpty(); i++) {
            Session oldest = strangers.peek();
            boolean served = !oldest.isStranger() || !sessions.containsKey(oldest.id);
            if (!served && nowNs - oldest.sinceNs < ATTACH_PATIENCE_NS) {
                return;
            }
            strangers.remove();
            if (!served) {
                handler.misbehaved(oldest, "it has connected and not attached");
            }
        }
    }

    /** Whether {@link #expire} has to be called after a while. */
    boolean waitsForTime() {
        return !accepting || !strangers.isEmpty();
    }

    private ReceivedFds newFds() {
        return new ReceivedFds(unwanted -> dispose(serving, unwanted));
    }

    /**
     * Until an unwanted descriptor is closed, which its sender can delay, it counts as a connection of its process. Any
     * thread.
     */
    void dispose(Session session, Fd unwanted) {
        AtomicInteger ofProcess = session.ofProcess;
        ofProcess.incrementAndGet();
        disposal.account(ofProcess).close(unwanted, ofProcess::decrementAndGet);
    }

    private void serve(Session session) {
        serving = session;
        for (int i = 0; i < TURN_MESSAGES && sessions.containsKey(session.id); i++) {
            if (session.ofProcess.get() > Admission.MAX_OF_PROCESS + MAX_CLOSING) {
                handler.misbehaved(session, "descriptors that take long to close");
                return;
            }
            int length;
            try {
                length = session.socket.receive(message.memory(), 0, ControlMessage.LENGTH, fds, false);
            } catch (LinuxException e) {
                failed(session, e);
                return;
            }
            if (length == UnixSocket.WOULD_BLOCK) {
                return;
            }
            if (length == 0) {
                handler.ended(session);
                return;
            }
            if (fds.count() > 0 && !mayCarryDescriptors(length)) {
                fds.closeAll();
                handler.misbehaved(session, "descriptors that nobody asked for");
                return;
            }
            // The doorbell is one byte: being awake is all that it asks for.
            if (length > 1) {
                request(session, length);
                if (isTurnOver() || session.postponed != null) {
                    return;
                }
            }
        }
    }

    private void failed(Session session, LinuxException e) {
        if (e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE) {
            LOG.log(Level.WARNING, "no descriptor left for what {0} sent", session.container);
            send(session, message.fail(e.errno(), "the driver has no file descriptor left"));
        } else if (e.errno() == Errno.EMSGSIZE) {
            // The beginning of what was too long was received.
            noMessage(session, ControlMessage.LENGTH, "message too long, or with too many descriptors");
        } else {
            handler.ended(session);
        }
    }

    /** Memory is all that is passed; what is no message, or another version's, is answered as that. */
    private boolean mayCarryDescriptors(int length) {
        return length > 1
                && (length != ControlMessage.LENGTH
                        || message.version() != ControlMessage.VERSION
                        || message.type() == ControlMessage.ATTACH
                        || message.type() == ControlMessage.ADD_REGION);
    }

    private void request(Session session, int length) {
        if (length != ControlMessage.LENGTH || !message.isMessage()) {
            fds.closeAll();
            noMessage(session, length, "record of " + length + " bytes that is no message");
            return;
        }
        handle(session, message, fds);
    }

    private void handle(Session session, ControlMessage message, ReceivedFds fds) {
        Fd[] along = {};
        try {
            along = handler.handle(session, message, fds);
            if (along == null) {
                postpone(session, message, fds);
                return;
            }
        } catch (Refusal e) {
            message.fail(e.errno(), e.getMessage());
        } catch (RuntimeException | Error e) {
            // A defect of the driver that a message brings to light is to end nothing but who sent it.
            handler.misbehaved(session, "message that the driver cannot handle: " + e);
            LOG.log(Level.ERROR, "error while handling a message", e);
            return;
        } finally {
            if (session.postponedFds != fds) {
                fds.closeAll();
            }
        }
        send(session, message, along);
        handler.answered();
    }

    /** Keeps a message for {@link #resume}; its session is not in the epoll set meanwhile, so that its end waits as well. */
    private void postpone(Session session, ControlMessage message, ReceivedFds received) {
        session.postponed = new ControlMessage();
        session.postponed.memory().copyFrom(message.memory());
        session.postponedFds = received;
        if (received == fds) {
            fds = newFds();
        }
        try {
            epoll.remove(session.socket.fd());
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "not in the epoll set any more: {0}", e.getMessage());
        }
    }

    /** Whether a session has not ended. */
    boolean isOpen(Session session) {
        return sessions.containsKey(session.id);
    }

    /** Handles a message that was postponed, unless its session has ended. */
    void resume(Session session) {
        if (!sessions.containsKey(session.id)) {
            return;
        }
        ControlMessage message = session.postponed;
        ReceivedFds fds = session.postponedFds;
        session.postponed = null;
        session.postponedFds = null;
        serving = session;
        try {
            epoll.add(session.socket.fd(), Epoll.IN, session.id);
        } catch (LinuxException e) {
            fds.closeAll();
            handler.misbehaved(session, "cannot be waited for: " + e.getMessage());
            return;
        }
        handle(session, message, fds);
    }

    /** Another version's messages may have another length: it is told why it cannot be served. */
    private void noMessage(Session session, int length, String reason) {
        if (length >= ControlMessage.HEADER_LENGTH
                && message.isMessage()
                && message.version() != ControlMessage.VERSION) {
            int version = message.version();
            send(session, message.fail(Errno.EPROTO, ControlMessage.versionMismatch(version)));
        }
        handler.misbehaved(session, reason);
    }

    private void send(Session session, ControlMessage answer, Fd... along) {
        if (!sessions.containsKey(session.id)) {
            return;
        }
        try {
            if (session.socket.send(answer.memory(), 0, ControlMessage.LENGTH, along) == UnixSocket.WOULD_BLOCK) {
                handler.misbehaved(session, "does not read its answers");
            }
        } catch (LinuxException e) {
            handler.ended(session);
        }
    }

    /** Says why, forgets a session and closes its socket. */
    void dismiss(Session session, String reason) {
        if (sessions.containsKey(session.id)) {
            sayGoodbye(session.socket, message, Errno.EPROTO, reason);
            remove(session);
        }
    }

    /** Says why a connection is about to be closed, if the other end still listens. */
    static void sayGoodbye(UnixSocket socket, ControlMessage message, int errno, String reason) {
        message.request(ControlMessage.GOODBYE, 0).fail(errno, reason);
        try {
            if (socket.send(message.memory(), 0, ControlMessage.LENGTH) == UnixSocket.WOULD_BLOCK) {
                LOG.log(Level.DEBUG, "not told, because it does not read: {0}", reason);
            }
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "gone before it was told: {0}", reason);
        }
    }

    /** Forgets a session and closes its socket. */
    void remove(Session session) {
        if (sessions.remove(session.id) != null) {
            quota.give(session.user, ANY_NAMESPACE, 1);
            if (session.postponedFds != null) {
                serving = session;
                session.postponedFds.closeAll();
            }
            try {
                epoll.remove(session.socket.fd());
            } catch (LinuxException e) {
                LOG.log(Level.DEBUG, "not in the epoll set any more: {0}", e.getMessage());
            }
            close(session.socket, session.ofProcess);
        }
    }

    @Override
    public void close() {
        for (Session session : sessions.values().toArray(new Session[0])) {
            remove(session);
        }
        if (admission != null) {
            admission.close();
        }
        epoll.close();
    }
}
