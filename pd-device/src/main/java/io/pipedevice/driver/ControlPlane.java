// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.lib.ControlMessage;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import java.lang.System.Logger.Level;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The control connections of all containers, and what else the driver waits for, in one epoll set. Receives messages,
 * has them handled, and answers. Owns the sockets of sessions that are not attached; belongs to the driver's thread.
 */
final class ControlPlane implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlPlane.class.getName());
    private static final int MAX_SESSIONS = 4096;
    private static final int MAX_EVENTS = 64;
    private static final int TURN_MESSAGES = 16;
    private static final long LISTENER = 0;
    private static final long SIGNAL = 1;
    private static final long FIRST_SESSION = 2;

    /** A connection: first only a socket, a container's once it has attached. */
    static final class Session {
        final long id;
        final UnixSocket socket;
        Container container;

        Session(long id, UnixSocket socket) {
            this.id = id;
            this.socket = socket;
        }
    }

    /** What is done about messages and ends; called on the driver's thread. */
    interface Handler {
        /** Handles a request in place and leaves its answer there; returns the descriptors to send along. */
        Fd[] handle(Session session, ControlMessage message, UnixSocket.ReceivedFds fds) throws Refusal;

        /** The session broke a rule. */
        void misbehaved(Session session, String reason);

        /** The other end is gone. */
        void ended(Session session);
    }

    private final Epoll epoll;
    private final Epoll.Events events = new Epoll.Events(MAX_EVENTS);
    private final EventFd signal;
    private final UnixSocket listener;
    private final Handler handler;
    private final Long2ObjectHashMap<Session> sessions = new Long2ObjectHashMap<>();
    private final ControlMessage message = new ControlMessage();
    private final UnixSocket.ReceivedFds fds = new UnixSocket.ReceivedFds();
    private long nextSession = FIRST_SESSION;
    private boolean accepting = true;

    /**
     * Opens the epoll set.
     *
     * @param listener listening socket, or null for a driver that is only reached from its own process; closed by this
     * @param signal wakes the driver from other threads; closed by its owner
     * @param handler handles messages
     */
    ControlPlane(UnixSocket listener, EventFd signal, Handler handler) throws LinuxException {
        this.epoll = Epoll.open();
        this.listener = listener;
        this.signal = signal;
        this.handler = handler;
        epoll.add(signal.fd(), Epoll.IN, SIGNAL);
        if (listener != null) {
            listener.nonBlocking(true);
            epoll.add(listener.fd(), Epoll.IN, LISTENER);
        }
    }

    /** Waits at most so long, and serves what is there. */
    int poll(long timeoutMillis) throws LinuxException {
        int count = epoll.await(events, timeoutMillis);
        for (int i = 0; i < count; i++) {
            long data = events.data(i);
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
        return count;
    }

    private void accept() {
        try {
            UnixSocket socket = listener.accept();
            if (socket != null) {
                add(socket);
            }
        } catch (LinuxException e) {
            LOG.log(Level.WARNING, "cannot accept another process: {0}", e.getMessage());
            if (e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE) {
                pauseAccepting();
            }
        }
    }

    /** With no descriptor left, a listener that stays readable would keep the driver awake for nothing. */
    private void pauseAccepting() {
        try {
            epoll.modify(listener.fd(), 0, LISTENER);
            accepting = false;
        } catch (LinuxException e) {
            LOG.log(Level.WARNING, "cannot pause the listener: {0}", e.getMessage());
        }
    }

    private void resumeAccepting() {
        if (!accepting) {
            try {
                epoll.modify(listener.fd(), Epoll.IN, LISTENER);
                accepting = true;
            } catch (LinuxException e) {
                LOG.log(Level.WARNING, "cannot resume the listener: {0}", e.getMessage());
            }
        }
    }

    /** Takes over a connected socket. */
    void add(UnixSocket socket) throws LinuxException {
        if (sessions.size() >= MAX_SESSIONS) {
            socket.close();
            return;
        }
        Session session = new Session(nextSession++, socket);
        try {
            epoll.add(socket.fd(), Epoll.IN, session.id);
        } catch (LinuxException e) {
            socket.close();
            throw e;
        }
        sessions.put(session.id, session);
    }

    private void serve(Session session) {
        for (int i = 0; i < TURN_MESSAGES && sessions.containsKey(session.id); i++) {
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
            if (length == 1) {
                // The doorbell: being awake is all that it asks for.
                fds.closeAll();
            } else {
                request(session, length);
            }
        }
    }

    private void failed(Session session, LinuxException e) {
        if (e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE) {
            LOG.log(Level.WARNING, "no descriptor left for what {0} sent", session.container);
            send(session, message.fail(e.errno(), "the driver has no file descriptor left"));
        } else if (e.errno() == Errno.EMSGSIZE) {
            handler.misbehaved(session, "message too long, or with too many descriptors");
        } else {
            handler.ended(session);
        }
    }

    private void request(Session session, int length) {
        if (length != ControlMessage.LENGTH || !message.isMessage()) {
            fds.closeAll();
            handler.misbehaved(session, "record of " + length + " bytes that is no message");
            return;
        }
        Fd[] along = {};
        try {
            along = handler.handle(session, message, fds);
        } catch (Refusal e) {
            message.fail(e.errno(), e.getMessage());
        } finally {
            fds.closeAll();
        }
        send(session, message, along);
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

    /** Forgets a session and closes its socket. */
    void remove(Session session) {
        if (sessions.remove(session.id) != null) {
            try {
                epoll.remove(session.socket.fd());
            } catch (LinuxException e) {
                LOG.log(Level.DEBUG, "not in the epoll set any more: {0}", e.getMessage());
            }
            session.socket.close();
            resumeAccepting();
        }
    }

    @Override
    public void close() {
        for (Session session : sessions.values().toArray(new Session[0])) {
            remove(session);
        }
        if (listener != null) {
            listener.close();
        }
        epoll.close();
    }
}
