// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.protocol.PermitWord;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A control connection to a driver, on which many requests wait for their answers at the same time. The watching thread
 * receives, or any thread that calls {@link #receive}. Thread safe. Ends by itself when the driver does.
 */
final class BrokerSession {
    private static final LazyLogger LOG = new LazyLogger(BrokerSession.class);
    private static final LimitedLog NOT_HANDLED =
            LimitedLog.error(BrokerSession.class, "a message of the driver was not handled");
    private static final LimitedLog NO_PERMITS = LimitedLog.warning(
            BrokerSession.class,
            "the driver cannot read this process''s sockets, and its connections stay on the kernel: {0}");
    private static final int DELIVERY_TIMEOUT_MS = 500;

    /** Gets what the driver sends. Called by the thread that receives; takes no lock under which a thread receives. */
    interface Listener {
        /**
         * The driver has introduced a client; the socket is the callee's.
         *
         * @param near whether the client connects within its network namespace
         */
        void newcomer(int listener, ProcessKey client, UnixSocket socket, boolean near);

        /** An introduced client stays on the kernel. */
        void released(int request);

        /** A link has to be given up. */
        void cut(long memory, String why);

        /** A client waits to be accepted by one of the listeners. */
        void called();

        /** The rate of all direct connections of this process together, in bytes per second; 0 for no limit. */
        void limited(long bytesPerSecond);

        /** The driver has ended, or is not understood. Called once, after all answers. */
        void ended(BrokerSession session);
    }

    /** Gets the answer to a request. Called as {@link Listener}. */
    interface Answer {
        /** The driver has answered; a descriptor that is not taken is closed. */
        void answered(IntroductionMessage message, ReceivedFds fds);

        /** The driver has ended. */
        void lost();
    }

    private final UnixSocket socket;
    private final Listener listener;

    /** Numbers the requests of all sessions of the process, so that none is mistaken for another one's. */
    private final AtomicInteger requests;

    private final ConcurrentHashMap<Integer, Answer> pending = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private final ControlMessage outgoing = new ControlMessage();

    private final ReentrantLock receiving = new ReentrantLock();

    /** Guarded by {@link #receiving}, like the next two. */
    private final ControlMessage incoming = new ControlMessage();

    private final IntroductionMessage content = new IntroductionMessage(incoming);
    private final ReceivedFds fds = new ReceivedFds();

    /** Set once, before the session is used. */
    private volatile FdWatch watch;

    /** Set once, before the session is used. */
    private volatile boolean fixed;

    /** Set once, before the session is used. */
    private volatile ReadPermits permits;

    private final AtomicBoolean diagNeeded = new AtomicBoolean(true);
    private volatile boolean over;

    /** Whether the driver has not received for long. */
    private volatile boolean stands;

    private BrokerSession(UnixSocket socket, AtomicInteger requests, Listener listener) {
        this.requests = requests;
        this.socket = socket;
        this.listener = listener;
    }

    /**
     * Asks the driver at the other end of a socket to let this process join.
     *
     * @param socket taken over
     * @return a session that is used after {@link #awaitJoined}, for the caller to close otherwise
     */
    static BrokerSession begin(UnixSocket socket, AtomicInteger requests, Listener listener) throws IOException {
        BrokerSession session = new BrokerSession(socket, requests, listener);
        boolean done = false;
        try {
            if (!session.send(Request.join(session.next()))) {
                throw new IOException("the driver does not take the message");
            }
            done = true;
            return session;
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    /**
     * Waits for the driver's answer.
     *
     * @param millis the longest time; 0 to look only
     * @return false if it is not there yet
     * @throws IOException if the driver refuses, or has ended; the session is closed
     */
    boolean awaitJoined(int millis) throws IOException {
        boolean open = false;
        try {
            Poll poll = new Poll(1);
            poll.add(socket.fd(), Poll.IN);
            boolean answered = poll.await(millis) != 0;
            if (answered) {
                receiveJoined();
                watch = FdWatch.open(socket.fd(), Epoll.IN | Epoll.RDHUP, events -> receive());
                if (over) {
                    watch.close();
                }
            }
            open = true;
            return answered;
        } finally {
            if (!open) {
                socket.close();
            }
        }
    }

    private void receiveJoined() throws IOException {
        int length = socket.receive(incoming.memory(), 0, ControlMessage.LENGTH, fds, false);
        try {
            if (length != ControlMessage.LENGTH
                    || !incoming.isMessage()
                    || incoming.version() != ControlMessage.VERSION
                    || incoming.status() != 0) {
                throw new IOException(length == ControlMessage.LENGTH ? incoming.text() : "the driver has ended");
            }
            openPermits();
        } finally {
            fds.closeAll();
        }
        fixed = content.isFixed();
        // A limit of the driver before is over. Before anything else is received: this driver's may follow.
        listener.limited(0);
    }

    private void openPermits() throws IOException {
        if (fds.count() != 1) {
            throw new IOException("the driver has not sent its memory for permits");
        }
        try (Fd driver = fds.take(0)) {
            permits = ReadPermits.open(driver, content.permitsSize(), this::isOver, this::pass);
        }
    }

    private void pass(Fd memory, long length) throws IOException {
        int request = next();
        // The driver answers only if it refuses.
        pending.put(request, new PermitsRefused());
        deliver(Request.permits(request, length), memory);
    }

    private static final class PermitsRefused implements Answer {
        @Override
        public void answered(IntroductionMessage message, ReceivedFds fds) {
            NO_PERMITS.log(message.text());
        }

        @Override
        public void lost() {
            // A session that has ended needs none.
        }
    }

    /** Permits the driver to read the socket of a question; null if too many are permitted. */
    ReadPermit permit(int request) {
        return permits.grant(request);
    }

    /** Whether two processes that the driver introduces in this session need not ask it again about each other. */
    boolean isFixed() {
        return fixed;
    }

    /** Whether this is the first call; the driver needs one socket of sock_diag(7) for a session. */
    boolean needsDiag() {
        return diagNeeded.getAndSet(false);
    }

    /** The socket was not sent. */
    void diagFailed() {
        diagNeeded.set(true);
    }

    /** A new number for a request. */
    int next() {
        int request;
        do {
            request = requests.incrementAndGet();
        } while (request == PermitWord.NONE);
        return request;
    }

    boolean isOver() {
        return over;
    }

    /** Registers an answer, and then sends its request. False if it cannot be sent, and the answer was not called. */
    boolean ask(Request request, Answer answer, Fd... along) {
        pending.put(request.id, answer);
        if (send(request, along)) {
            if (over && pending.remove(request.id, answer)) {
                answer.lost();
            }
            return true;
        }
        return !pending.remove(request.id, answer);
    }

    /** Sends a message, without waiting. False if that is not possible. */
    boolean send(Request request, Fd... along) {
        try {
            return trySend(request, along);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "cannot send to the driver: {0}", e.getMessage());
            return false;
        }
    }

    /**
     * Sends a message that the driver must not miss. Waits until the socket has room for it, for {@link
     * #DELIVERY_TIMEOUT_MS} at most, and not again for a driver that has not received in this time.
     *
     * @throws IOException if the driver has ended, or does not receive
     */
    void deliver(Request request, Fd... along) throws IOException {
        long beginNs = System.nanoTime();
        while (!trySend(request, along)) {
            long leftMs = DELIVERY_TIMEOUT_MS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
            if (stands || leftMs <= 0) {
                stands = true;
                throw new LinuxException("send", Errno.ETIMEDOUT, "the driver does not receive");
            }
            Poll poll = new Poll(1);
            poll.add(socket.fd(), Poll.OUT);
            poll.await(leftMs);
        }
        stands = false;
    }

    /** False if the socket has no room. */
    private boolean trySend(Request request, Fd... along) throws LinuxException {
        synchronized (outgoing) {
            request.write(outgoing);
            return socket.send(outgoing.memory(), 0, ControlMessage.LENGTH, along) == ControlMessage.LENGTH;
        }
    }

    /**
     * Receives everything that the driver has sent before this call. Any thread, which waits for another one that
     * receives.
     */
    void receive() {
        receiving.lock();
        receiveAll();
    }

    /**
     * Receives while an answer is expected within microseconds. The watching thread receives as well.
     *
     * @param hasCome whether the answer has come
     * @param nanos the longest time
     */
    @SuppressWarnings("ThreadPriorityCheck") // the driver or the server may need this thread's processor
    void receiveUntil(BooleanSupplier hasCome, long nanos) {
        long beginNs = System.nanoTime();
        while (!hasCome.getAsBoolean() && System.nanoTime() - beginNs < nanos) {
            if (receiving.tryLock()) {
                try {
                    receiveAll();
                } catch (RuntimeException | Error e) {
                    // Of another request: not a failure of this thread's call.
                    NOT_HANDLED.log(e);
                }
            }
            Thread.yield();
        }
    }

    /** With {@link #receiving}, which this unlocks. */
    private void receiveAll() {
        assert receiving.isHeldByCurrentThread();
        try {
            while (!over && receiveOne()) {
                fds.closeAll();
            }
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "the driver''s connection has ended: {0}", e.getMessage());
            end();
        } finally {
            receiving.unlock();
        }
    }

    private boolean receiveOne() throws LinuxException {
        int length = socket.receiveWhole(incoming.memory(), 0, ControlMessage.LENGTH, fds);
        if (length == UnixSocket.WOULD_BLOCK) {
            return false;
        }
        if (length != ControlMessage.LENGTH || !incoming.isMessage() || incoming.type() == ControlMessage.GOODBYE) {
            end();
            return false;
        }
        switch (incoming.type()) {
            case IntroductionMessage.NEWCOMER -> newcomer(false);
            case IntroductionMessage.NEIGHBOUR -> newcomer(true);
            case IntroductionMessage.RELEASED -> listener.released(incoming.requestId());
            case IntroductionMessage.CALLS -> listener.called();
            case IntroductionMessage.RATE -> listener.limited(content.rate());
            case IntroductionMessage.CUT -> listener.cut(content.linkMemory(), content.text());
            default -> {
                Answer answer = pending.remove(incoming.requestId());
                if (answer != null) {
                    answer.answered(content, fds);
                }
            }
        }
        return true;
    }

    private void newcomer(boolean near) throws LinuxException {
        if (fds.count() == 1) {
            Fd fd = fds.take(0);
            try {
                listener.newcomer(
                        content.listener(),
                        ProcessKey.named(content),
                        UnixSocket.own(UnixSocket.Type.SEQPACKET, fd),
                        near);
            } catch (LinuxException e) {
                fd.close();
                throw e;
            }
        }
    }

    private void end() {
        if (over) {
            return;
        }
        over = true;
        if (watch != null) {
            watch.close();
        }
        socket.close();
        for (Integer request : pending.keySet()) {
            Answer answer = pending.remove(request);
            if (answer != null) {
                answer.lost();
            }
        }
        listener.ended(this);
    }
}
