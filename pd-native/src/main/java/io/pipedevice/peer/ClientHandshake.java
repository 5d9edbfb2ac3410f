// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The client's half of the beginning of a link. Waits, but not for longer than it is told. */
final class ClientHandshake {
    private final LinkParts parts;
    private final LinkMessage message;

    private ClientHandshake(LinkParts parts, LinkMessage message) {
        this.parts = parts;
        this.message = message;
    }

    /**
     * Meets whoever listens at a name.
     *
     * @param deadline in the time of {@link System#nanoTime}
     * @return what the link is made of, for the caller to close
     */
    static LinkParts meet(UnixAddress name, long deadline, Disposal disposal) throws PeerRefusal {
        LinkParts parts = new LinkParts(connect(name, deadline), disposal);
        LinkMessage message = new LinkMessage(disposal);
        boolean met = false;
        try {
            new ClientHandshake(parts, message).run(deadline);
            met = true;
            return parts;
        } catch (PeerRefusal e) {
            throw e;
        } catch (IOException e) {
            throw refusal(e);
        } finally {
            message.dropDescriptors();
            if (!met) {
                parts.close();
            }
        }
    }

    private static UnixSocket connect(UnixAddress name, long deadline) throws PeerRefusal {
        try {
            return UnixSocket.connect(UnixSocket.Type.SEQPACKET, name, millisUntil(deadline));
        } catch (LinuxException e) {
            throw refusal(e);
        }
    }

    private static PeerRefusal refusal(IOException e) {
        PeerRefusal refusal = new PeerRefusal(PeerRefusal.Reason.of(e), e.getMessage());
        refusal.initCause(e);
        return refusal;
    }

    private void run(long deadline) throws IOException {
        if (!parts.isSameUser()) {
            throw new PeerRefusal(PeerRefusal.Reason.OTHER_USER, "the listener is another user's");
        }
        parts.createOwn();
        if (!parts.introduce(message, LinkMessageDescriptor.HELLO)) {
            throw new LinuxException("sendmsg", Errno.EAGAIN);
        }
        int received = awaitAnswer(deadline);
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

    private int awaitAnswer(long deadline) throws IOException {
        Poll poll = new Poll(1);
        poll.add(parts.socket().fd(), Poll.IN);
        while (true) {
            int received = message.receive(parts.socket());
            if (received != LinkMessage.NOTHING_YET) {
                return received;
            }
            long left = millisUntil(deadline);
            if (left == 0) {
                throw new IOException("the listener did not answer in time");
            }
            poll.await(left);
        }
    }

    /** At least 1 until the deadline is over. */
    private static long millisUntil(long deadline) {
        long left = deadline - System.nanoTime();
        return left <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(left) + 1;
    }
}
