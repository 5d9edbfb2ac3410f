// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.protocol.IntroductionMessage;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A connection that the kernel has accepted, until it is known which way it goes. Thread safe, except where noted.
 *
 * @param <C> the kernel's connections
 */
final class HeldConnection<C> implements BrokerSession.Answer {
    /** The listener that holds it. Called by any thread. */
    interface Host<C> {
        /** The driver has named the client; false if that client has another connection from the same address. */
        boolean expect(Client client, HeldConnection<C> held);

        /** Its clients were asked for a byte, and do not answer: asks the driver. */
        void ask(HeldConnection<C> held);

        /** It may stay on the kernel, unless its client has moved to rings before. */
        void released(HeldConnection<C> held);

        /** Its client may have sent its byte, and have ended before the program has accepted its connection. */
        void checkClient(HeldConnection<C> held);
    }

    /** A client: its process, by the number in its link's credentials, and its own address. */
    record Client(int pid, InetSocketAddress address) {}

    final int request;
    final C connection;

    /** Of the driver that is asked, or may be; null if none is. */
    final BrokerSession session;

    /** Null if no client was asked for a byte. */
    final ByteProof proof;

    private final Host<C> host;

    /** Whether the driver has said that the client will move to rings. */
    private volatile boolean isExpected;

    /** The client that will move to rings by a link, or null. */
    private volatile Client client;

    /** For the driver to read its socket; null before it is asked. */
    private volatile ReadPermit permit;

    /** Whether the question was sent to the driver. A permit alone does not say that. */
    private volatile boolean isAsked;

    private volatile int errno;
    private volatile String text = "";
    private final AtomicBoolean over = new AtomicBoolean();

    /** Whether the program has it. Guarded by the lock of the listener's accepting thread. */
    private boolean returned;

    /**
     * @param request the number of the question to the driver
     * @param connection owned by the listener
     */
    HeldConnection(Host<C> host, int request, C connection, BrokerSession session, ByteProof proof) {
        this.host = host;
        this.request = request;
        this.connection = connection;
        this.session = session;
        this.proof = proof;
    }

    @Override
    public void answered(IntroductionMessage message, ReceivedFds fds) {
        permit.withdraw();
        InetSocketAddress theirs = message.client();
        if (message.isThroughDevice()) {
            isExpected = true;
        } else if (message.status() == 0 && theirs != null) {
            Client other = new Client(ProcessKey.named(message).credentials().pid(), theirs);
            client = other;
            isExpected = true;
            if (!host.expect(other, this)) {
                release(Errno.EEXIST, "the client has another connection from the same port");
            }
        } else {
            release(message.status(), message.text());
        }
    }

    @Override
    public void lost() {
        release(Errno.ENODEV, "the driver has ended");
    }

    /** Asks the driver. */
    void ask() {
        host.ask(this);
    }

    /** The driver was asked, and its answer, or the end of the time for it, releases the connection. */
    void asked() {
        isAsked = true;
    }

    /** Whether the driver was asked. */
    boolean isAsked() {
        return isAsked;
    }

    /** Has it closed if its client has sent its byte, and has ended. */
    void checkClient() {
        host.checkClient(this);
    }

    /** It need not be held any longer. */
    void release(int why, String words) {
        if (end()) {
            errno = why;
            text = words;
            ReadPermit granted = permit;
            if (granted == null) {
                host.released(this);
            } else {
                granted.end(() -> host.released(this));
            }
        }
    }

    /**
     * The driver is going to be asked, and may read the socket.
     *
     * @return false if it was released meanwhile, so that the program may use the socket
     */
    boolean permits(ReadPermit granted) {
        permit = granted;
        // Afterwards: a release that has not seen the permit is seen here.
        if (over.get()) {
            granted.withdraw();
            return false;
        }
        return true;
    }

    /** Whether the program may use the socket, after it was released. */
    boolean isUnread() {
        ReadPermit granted = permit;
        return granted == null || granted.isUnread();
    }

    /** Whether it is known which way it goes. */
    boolean isOver() {
        return over.get();
    }

    /** Whether its client may still move to rings. Under the lock of the listener's accepting thread. */
    boolean isUndecided() {
        return !returned && (!over.get() || client == null);
    }

    /** Whether no client may move to rings for it. Under the lock of the listener's accepting thread. */
    boolean isFree() {
        return !returned && client == null && proof == null;
    }

    /** Decides which way it goes; false if that was decided before. */
    boolean end() {
        return over.compareAndSet(false, true);
    }

    boolean isExpected() {
        return isExpected;
    }

    /** The client that the driver has named, or null. */
    Client client() {
        return client;
    }

    /** Why it stays on the kernel; 0 if there is no reason. */
    int errno() {
        return errno;
    }

    /** For a person. */
    String text() {
        return text;
    }

    /** Under the lock of the listener's accepting thread. */
    boolean isReturned() {
        return returned;
    }

    /** The program has it, or it is closed. Under the lock of the listener's accepting thread. */
    void returned() {
        returned = true;
        ReadPermit granted = permit;
        if (granted != null) {
            granted.withdraw();
        }
        if (proof != null) {
            proof.close();
        }
    }
}
