// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.lang.System.Logger.Level;

/**
 * Receives the messages of control connections, has them handled at once or later, and sends the answers. Belongs to
 * the driver's thread.
 */
final class ControlExchange {
    private static final System.Logger LOG = new LazyLogger(ControlExchange.class).get();

    private final LimitedLog noDescriptor =
            LimitedLog.warning(ControlExchange.class, "no descriptor left to receive those that {0} sent");
    private final LimitedLog notHandled = LimitedLog.error(ControlExchange.class, "error while handling a message");
    private static final int TURN_MESSAGES = 16;

    private final Epoll epoll;

    /** The message that is being received and handled; another one takes its place if it is postponed. */
    private ControlRequest current = new ControlRequest();

    /**
     * Creates an exchange.
     *
     * @param epoll contains the sessions, by their ids, except some with a postponed message
     */
    ControlExchange(Epoll epoll) {
        this.epoll = epoll;
    }

    /**
     * Serves a readable session until it has no message left, or its limit of messages or the turn is used up.
     *
     * @return whether it has no message left
     */
    boolean serve(ControlSession session, ControlHandler handler, long turnEndNs) {
        if (session.pending != null) {
            // Only its end is watched.
            handler.ended(session);
            return true;
        }
        for (int i = 0; i < TURN_MESSAGES && session.open; i++) {
            if (session.isClosingTooMany()) {
                handler.misbehaved(session, "descriptors that take long to close");
                return true;
            }
            int length;
            try {
                current.of(session);
                length = session.socket.receive(
                        current.message().memory(), 0, ControlMessage.LENGTH, current.fds(), false);
            } catch (LinuxException e) {
                failed(session, handler, e);
                return true;
            }
            if (length == UnixSocket.WOULD_BLOCK) {
                return true;
            }
            if (length == 0) {
                handler.ended(session);
                return true;
            }
            if (current.fds().count() > 0 && !mayCarryDescriptors(handler, length)) {
                current.fds().closeAll();
                handler.misbehaved(session, "descriptors that were not requested");
                return true;
            }
            // A message of one byte is the doorbell. It only wakes the driver.
            if (length > 1) {
                request(session, handler, length);
                if (System.nanoTime() - turnEndNs > 0 || session.pending != null) {
                    return false;
                }
            }
        }
        return !session.open;
    }

    private void failed(ControlSession session, ControlHandler handler, LinuxException e) {
        if (e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE) {
            noDescriptor.log(session.process());
            send(session, handler, current.message().fail(e.errno(), "the driver has no file descriptor left"));
        } else if (e.errno() == Errno.EMSGSIZE) {
            // Only the beginning of the message was received.
            noMessage(session, handler, ControlMessage.LENGTH, "message too long, or with too many descriptors");
        } else {
            handler.ended(session);
        }
    }

    /**
     * Whether a message may carry descriptors. An invalid message, or one of another version, is answered as such
     * later.
     */
    private boolean mayCarryDescriptors(ControlHandler handler, int length) {
        ControlMessage message = current.message();
        return length > 1
                && (length != ControlMessage.LENGTH
                        || message.version() != ControlMessage.VERSION
                        || handler.mayCarryDescriptors(message.type()));
    }

    private void request(ControlSession session, ControlHandler handler, int length) {
        if (length != ControlMessage.LENGTH || !current.message().isMessage()) {
            current.fds().closeAll();
            noMessage(session, handler, length, "record of " + length + " bytes that is not a message");
            return;
        }
        ControlRequest request = current;
        handle(request, handler, () -> handler.handle(request));
    }

    /** Handles a message, or goes on with it. */
    private interface Handling {
        Reply reply() throws Refusal;
    }

    private void handle(ControlRequest request, ControlHandler handler, Handling handling) {
        ControlSession session = request.session();
        Reply.Answer answer;
        try {
            Reply reply = handling.reply();
            if (reply instanceof Reply.Later later) {
                postpone(request, later, handler);
                return;
            }
            if (!(reply instanceof Reply.Answer complete)) {
                return;
            }
            answer = complete;
        } catch (Refusal e) {
            request.message().fail(e.errno(), e.getMessage());
            answer = Reply.answer();
        } catch (RuntimeException | Error e) {
            // If a message triggers a defect of the driver, only the sender's session may end.
            handler.misbehaved(session, "message that the driver cannot handle: " + e);
            notHandled.log(e);
            return;
        } finally {
            if (session.pending != request) {
                request.fds().closeAll();
            }
        }
        try {
            send(session, handler, request.message(), answer.along());
        } finally {
            answer.sent();
        }
    }

    /**
     * Keeps a message until its work is done. Meanwhile no other is received. The end of the session waits as well,
     * unless it {@linkplain Reply.Later#isEndWatched is watched}.
     */
    private void postpone(ControlRequest request, Reply.Later later, ControlHandler handler) {
        ControlSession session = request.session();
        ControlRequest next = request == current ? new ControlRequest() : current;
        request.postpone(later, () -> resume(request, later, handler));
        session.pending = request;
        current = next;
        try {
            if (later.isEndWatched()) {
                // HUP is always reported.
                epoll.modify(session.socket.fd(), 0, session.id);
            } else {
                epoll.remove(session.socket.fd());
            }
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "the epoll set cannot be changed: {0}", e.getMessage());
        }
    }

    /** Goes on with a message that was postponed, unless its session has ended. */
    private void resume(ControlRequest request, Reply.Later later, ControlHandler handler) {
        ControlSession session = request.session();
        if (session.pending != request) {
            return;
        }
        session.pending = null;
        try {
            if (later.isEndWatched()) {
                epoll.modify(session.socket.fd(), Epoll.IN, session.id);
            } else {
                epoll.add(session.socket.fd(), Epoll.IN, session.id);
            }
        } catch (LinuxException e) {
            request.abandon();
            handler.misbehaved(session, "cannot be watched: " + e.getMessage());
            return;
        }
        handle(request, handler, () -> handler.resume(session, later));
    }

    /** Releases what the postponed message of a session holds, if there is one, because the session ends. */
    void forget(ControlSession session) {
        ControlRequest request = session.pending;
        if (request != null) {
            session.pending = null;
            request.abandon();
        }
    }

    /**
     * Answers an invalid message. Messages of another version may have another length; the answer gives both versions.
     */
    private void noMessage(ControlSession session, ControlHandler handler, int length, String reason) {
        ControlMessage message = current.message();
        if (length >= ControlMessage.HEADER_LENGTH
                && message.isMessage()
                && message.version() != ControlMessage.VERSION) {
            int version = message.version();
            send(session, handler, message.fail(Errno.EPROTO, ControlMessage.versionMismatch(version)));
        }
        handler.misbehaved(session, reason);
    }

    private void send(ControlSession session, ControlHandler handler, ControlMessage answer, Fd... along) {
        if (!session.open) {
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
}
