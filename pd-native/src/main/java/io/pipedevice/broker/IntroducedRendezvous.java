// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.Rendezvous;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.wait.FairTimeout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The way to a listener that a driver has named: the driver makes a pair of sockets, and passes one end to each
 * process.
 *
 * @param session of the driver
 * @param server the process of the listener
 * @param listener its number there
 * @param near whether for connections within this network namespace, which the kernel does not make
 */
record IntroducedRendezvous(BrokerSession session, ProcessKey server, int listener, boolean near)
        implements Rendezvous {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private record Key(ProcessKey server, int listener, boolean near) {}

    /** The driver's answer: the socket, or why there is none. */
    private static final class Socket implements BrokerSession.Answer {
        private final CountDownLatch over = new CountDownLatch(1);

        /** This and the next one are guarded by the monitor. */
        private UnixSocket socket;

        private String why = "the driver has ended";
        private boolean abandoned;

        @Override
        public synchronized void answered(IntroductionMessage message, ReceivedFds fds) {
            if (message.status() != 0 || fds.count() != 1) {
                why = message.text();
            } else if (!abandoned) {
                Fd fd = fds.take(0);
                try {
                    socket = UnixSocket.own(UnixSocket.Type.SEQPACKET, fd);
                } catch (LinuxException e) {
                    fd.close();
                    why = e.getMessage();
                }
            }
            over.countDown();
        }

        @Override
        public void lost() {
            over.countDown();
        }

        /**
         * Waits for the answer. Not interruptible: the wait is short, and an interrupted attempt could not be repeated.
         */
        UnixSocket await() throws PeerRefusal {
            boolean answered = awaitAnswer();
            synchronized (this) {
                abandoned = true;
                if (socket == null) {
                    throw new PeerRefusal(
                            PeerRefusal.Reason.HANDSHAKE_FAILED, answered ? why : "the driver has not answered");
                }
                return socket;
            }
        }

        private boolean awaitAnswer() {
            FairTimeout timeout = new FairTimeout(System.nanoTime(), TIMEOUT_NS);
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        if (over.await(timeout.untilNs() - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                            return true;
                        }
                        if (!timeout.goesOn()) {
                            return false;
                        }
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Override
    public Object key() {
        return new Key(server, listener, near);
    }

    @Override
    public UnixSocket connect() throws PeerRefusal {
        Socket answer = new Socket();
        if (!session.ask(Request.link(session.next(), server, listener, near), answer)) {
            throw new PeerRefusal(
                    PeerRefusal.Reason.HANDSHAKE_FAILED, "the driver has ended (" + Errno.text(Errno.ENODEV) + ")");
        }
        return answer.await();
    }

    @Override
    public UnixSocket.Credentials identify(UnixSocket socket) {
        return server.credentials();
    }

    /** The process of a link does not change. */
    @Override
    public void check(UnixSocket.Credentials peer) {}

    @Override
    public String toString() {
        return "listener " + listener + " of process " + server.pid();
    }
}
