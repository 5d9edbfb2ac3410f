// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.link.LinkParts;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.link.ServerLink;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import java.io.IOException;
import java.lang.System.Logger.Level;

/** The server's half of a handshake, which makes a link. Never waits. */
final class ServerHandshake {
    private static final LazyLogger LOG = new LazyLogger(ServerHandshake.class);

    /** The listener whose clients are answered. Thread safe. */
    interface Host {
        /** Closes the descriptors that clients send. */
        Disposal disposal();

        /** Makes a link of its parts, which it takes over, for connections by a rule. */
        ServerLink link(LinkParts parts, ConnectionRule rule) throws IOException;

        /**
         * Adds a link, and sends the welcome before another thread can announce a bell on the link. False if there is
         * no room for it.
         */
        boolean add(ServerLink link, Welcome welcome) throws IOException;

        /** The welcome was sent to a client. */
        void linked(ServerLink link);

        /** A client is gone. */
        void lost(ServerLink link);
    }

    /** Sends a client the message that accepts it. */
    interface Welcome {
        void send() throws IOException;
    }

    private final Host listener;
    private final LinkMessage message;

    /** Creates a handshake that receives and answers with the same message. */
    ServerHandshake(Host listener, LinkMessage message) {
        this.listener = listener;
        this.message = message;
    }

    /**
     * Answers a client, and makes a link with it unless it is refused.
     *
     * @param client whose socket this takes over
     * @param received the length of its first message, which is in the message of this handshake
     */
    void answer(Newcomer client, int received) {
        LinkParts parts = new LinkParts(client.socket(), client.credentials(), listener.disposal());
        ServerLink link = null;
        boolean done = false;
        try {
            check(parts, received);
            link = link(parts, client.rule());
            welcome(parts, link);
            done = true;
        } catch (IOException e) {
            refuse(client.socket(), e);
        } finally {
            message.dropDescriptors();
            if (!done) {
                close(parts, link);
            }
        }
    }

    private void close(LinkParts parts, ServerLink link) {
        if (link == null) {
            parts.close();
        } else {
            listener.lost(link);
            link.close();
        }
    }

    private void check(LinkParts parts, int received) throws IOException {
        if (!message.isMessage(received)) {
            throw new IOException("a first message of " + received + " bytes");
        }
        if (message.version() != LinkMessageDescriptor.VERSION) {
            throw new PeerRefusal(PeerRefusal.Reason.VERSION, "the client has version " + message.version());
        }
        if (message.type() != LinkMessageDescriptor.HELLO) {
            throw new IOException("a first message of type " + message.type());
        }
        parts.takePeer(message);
    }

    private ServerLink link(LinkParts parts, ConnectionRule rule) throws IOException {
        parts.createOwn();
        return listener.link(parts, rule);
    }

    /** Accepts the client, after the link is watched, so that its end is noticed. */
    private void welcome(LinkParts parts, ServerLink link) throws IOException {
        link.watch();
        if (!listener.add(link, () -> sendWelcome(parts))) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "the listener is closed or has too many links");
        }
        listener.linked(link);
    }

    private void sendWelcome(LinkParts parts) throws IOException {
        if (!parts.introduce(message, LinkMessageDescriptor.WELCOME)) {
            throw new LinuxException("sendmsg", Errno.EAGAIN);
        }
    }

    private void refuse(UnixSocket socket, IOException e) {
        LOG.get().log(Level.DEBUG, "a client is refused: {0}", e.getMessage());
        refuse(socket, e instanceof PeerRefusal refusal ? refusal.reason() : PeerRefusal.Reason.of(e));
    }

    /** Sends a client the reason why it gets no link. */
    void refuse(UnixSocket socket, PeerRefusal.Reason reason) {
        say(socket, LinkMessageDescriptor.REFUSE, reason.number());
    }

    /** Permits a client to send descriptors. */
    void permit(UnixSocket socket) {
        say(socket, LinkMessageDescriptor.READY, 0);
    }

    private void say(UnixSocket socket, int type, int number) {
        try {
            message.send(socket, type, number, 0);
        } catch (LinuxException gone) {
            LOG.get().log(Level.DEBUG, "the client left before the answer: {0}", gone.getMessage());
        }
    }
}
