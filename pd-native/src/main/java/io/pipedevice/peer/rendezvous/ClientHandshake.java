// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.LinkParts;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The client's half of a handshake, which makes a link. The caller waits for the answer as long as it likes; after that
 * the watching thread does. Every failure closes the handshake. Used by one thread at a time, except where noted.
 */
final class ClientHandshake {
    private final LinkParts parts;
    private final LinkMessage message;
    private int received = LinkMessage.NOTHING_YET;

    /** Whether the kernel took the HELLO. It may refuse its descriptors until the server permits them. */
    private boolean greeted;

    /** Null while no other thread waits for the answer; guarded by this object's monitor. */
    private FdWatch watch;

    private ClientHandshake(LinkParts parts, LinkMessage message) {
        this.parts = parts;
        this.message = message;
    }

    /** Sends HELLO to a listener, if this process may have a link with its process. Never waits. */
    static ClientHandshake begin(Rendezvous rendezvous, Disposal disposal) throws PeerRefusal {
        LinkParts parts = identified(rendezvous, rendezvous.connect(), disposal);
        ClientHandshake handshake = new ClientHandshake(parts, new LinkMessage(disposal));
        handshake.orClose(handshake::sayHello);
        return handshake;
    }

    private static LinkParts identified(Rendezvous rendezvous, UnixSocket socket, Disposal disposal)
            throws PeerRefusal {
        try {
            return new LinkParts(socket, rendezvous.identify(socket), disposal);
        } catch (IOException e) {
            disposal.close(socket);
            throw e instanceof PeerRefusal refusal ? refusal : PeerRefusal.of(e);
        }
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
            throw PeerRefusal.of(e);
        } finally {
            if (!done) {
                unwatch();
                message.dropDescriptors();
                parts.close();
            }
        }
    }

    private void sayHello() throws IOException {
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

    /** Receives the answer. Before it the server may send READY, which permits the HELLO. */
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

    /** Waits for the answer, if there is none yet. False if none has come by the given time. */
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

    /** The rest of the timeout, rounded up; 0 only when the time is over. */
    private static long millisUntil(long time) {
        long left = time - System.nanoTime();
        return left <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(left) + 1;
    }

    /**
     * Hands the handshake to the watching thread, which waits for the answer. That thread may call this again.
     *
     * @param answered runs on the watching thread when there is an answer, or the listener is gone
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

    /** Ends the handshake. Returns the parts of the link, for the caller to close. */
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
