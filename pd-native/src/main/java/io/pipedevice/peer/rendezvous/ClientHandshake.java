// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.PidFd;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.LinkParts;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The client's half of the beginning of a link. The answer is waited for as long as the caller likes, and by the watching
 * thread after that. What fails closes it. Used by one thread at a time, except what says otherwise.
 */
final class ClientHandshake {
    private final LinkParts parts;
    private final LinkMessage message;
    private int received = LinkMessage.NOTHING_YET;

    /** Whether the kernel took the HELLO; the server has to permit its descriptors before. */
    private boolean greeted;

    /** Null while no other thread waits for the answer; guarded by this object's monitor. */
    private FdWatch watch;

    private ClientHandshake(LinkParts parts, LinkMessage message) {
        this.parts = parts;
        this.message = message;
    }

    /**
     * Says HELLO to whoever listens at a name, and has the port. Never waits: whoever has the name decides how long its
     * backlog is full.
     */
    static ClientHandshake begin(UnixAddress name, Port port, Disposal disposal) throws PeerRefusal {
        LinkParts parts = new LinkParts(connect(name), disposal);
        ClientHandshake handshake = new ClientHandshake(parts, new LinkMessage(disposal));
        handshake.orClose(() -> handshake.sayHello(port));
        return handshake;
    }

    private static UnixSocket connect(UnixAddress name) throws PeerRefusal {
        try {
            return UnixSocket.connect(UnixSocket.Type.SEQPACKET, name, 0, false);
        } catch (LinuxException e) {
            throw e.errno() == Errno.EAGAIN ? FullName.refusal(name) : refusal(e);
        }
    }

    private static PeerRefusal refusal(IOException e) {
        PeerRefusal refusal = new PeerRefusal(PeerRefusal.Reason.of(e), e.getMessage());
        refusal.initCause(e);
        return refusal;
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private void orClose(Step step) throws PeerRefusal {
        boolean done = false;
        try {
            step.run();
            done = true;
        } catch (PeerRefusal e) {
            throw e;
        } catch (IOException e) {
            throw refusal(e);
        } finally {
            if (!done) {
                unwatch();
                message.dropDescriptors();
                parts.close();
            }
        }
    }

    private void sayHello(Port port) throws IOException {
        if (!parts.isSameUser()) {
            throw new PeerRefusal(PeerRefusal.Reason.OTHER_USER, "the listener is another user's");
        }
        requireOwner(port);
        parts.socket().passRights(true);
        parts.createOwn();
        message.closer(parts.closer());
        try {
            greet();
        } catch (LinuxException e) {
            if (e.errno() != Errno.EPERM) {
                throw e;
            }
        }
    }

    private void greet() throws LinuxException {
        if (!parts.introduce(message, LinkMessageDescriptor.HELLO)) {
            throw new LinuxException("sendmsg", Errno.EAGAIN);
        }
        greeted = true;
    }

    /** Receives the answer; before it the server may permit the HELLO. */
    private void receive() throws IOException {
        received = message.receiveWhole(parts.socket());
        if (message.isMessage(received) && message.type() == LinkMessageDescriptor.READY) {
            message.dropDescriptors();
            if (!greeted) {
                greet();
            }
            received = message.receiveWhole(parts.socket());
        }
    }

    private void requireOwner(Port port) throws IOException {
        // While it is held open, its number is no other process's.
        try (PidFd process = parts.socket().peerPidFd().orElse(null)) {
            port.requireOwner(parts.peerCredentials());
            if (process != null && !process.isAlive()) {
                throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "the listener's process has ended");
            }
        }
    }

    /** Waits for the answer, if there is none yet. False if there is none by then. */
    boolean isAnswered(long until) throws PeerRefusal {
        orClose(() -> awaitAnswer(until));
        return received != LinkMessage.NOTHING_YET;
    }

    private void awaitAnswer(long until) throws IOException {
        Poll poll = new Poll(1);
        poll.add(parts.socket().fd(), Poll.IN);
        receive();
        while (received == LinkMessage.NOTHING_YET) {
            long left = millisUntil(until);
            if (left == 0) {
                return;
            }
            poll.await(left);
            receive();
        }
    }

    /** At least 1 until the time is over. */
    private static long millisUntil(long time) {
        long left = time - System.nanoTime();
        return left <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(left) + 1;
    }

    /**
     * Lets the watching thread wait, which this is left to; it may ask so again.
     *
     * @param answered runs there when there is an answer, or the listener has gone
     */
    void whenAnswered(Runnable answered) throws PeerRefusal {
        orClose(() -> {
            synchronized (this) {
                unwatch();
                watch = FdWatch.open(parts.socket().fd(), Epoll.IN | Epoll.ONESHOT, events -> answered.run());
            }
        });
    }

    private synchronized void unwatch() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    /** Cancels the handshake; the callback still runs. Any thread, until this is closed or taken. */
    void hangUp() {
        parts.hangUp();
    }

    /** Ends it. What the link is made of, for the caller to close. */
    LinkParts take() throws PeerRefusal {
        unwatch();
        orClose(this::takeAnswer);
        message.dropDescriptors();
        return parts;
    }

    private void takeAnswer() throws IOException {
        if (!message.isMessage(received)) {
            throw new IOException("an answer of " + received + " bytes");
        }
        if (message.version() != LinkMessageDescriptor.VERSION) {
            throw new PeerRefusal(PeerRefusal.Reason.VERSION, "the listener has version " + message.version());
        }
        if (message.type() == LinkMessageDescriptor.REFUSE) {
            throw new PeerRefusal(PeerRefusal.Reason.of(message.number()), "the listener refuses");
        }
        if (message.type() != LinkMessageDescriptor.WELCOME) {
            throw new IOException("an answer of type " + message.type());
        }
        parts.takePeer(message);
    }
}
