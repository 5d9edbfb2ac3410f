// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.wait.FairTimeout;
import java.util.concurrent.TimeUnit;

/**
 * The control connection: one request and its answer at a time, under {@link #lock}, which also guards everything that
 * only requests change. Owns the socket.
 */
final class ControlChannel implements AutoCloseable {
    /**
     * For a driver that has a processor: on busy ones it may take longer, because the attachment is lost afterwards.
     */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    /** Shorter, because a program's connections wait for the attachment, and use the kernel if there is no driver. */
    private static final long ATTACH_PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);

    private static final int MAX_LAST_WORDS = 3;

    /** How long to wait for a descriptor before looking again. */
    private static final int RETRY_MS = 1;

    private final TaskLock lock = new TaskLock();
    private final UnixSocket socket;
    private final Link link;
    private final ControlMessage request = new ControlMessage();
    private final ControlMessage answer = new ControlMessage();
    private final ReceivedFds fds = new ReceivedFds();
    private final Poll poll = new Poll(1);
    private final Poll look = new Poll(1);
    private int requests;

    /**
     * Keeps room for the descriptor that comes with an answer: a process without descriptors fails before the request,
     * not after the driver has served it.
     */
    private EventFd reserve;

    ControlChannel(UnixSocket socket, Link link) {
        this.socket = socket;
        this.link = link;
        poll.add(socket.fd(), Poll.IN);
        look.add(socket.fd(), Poll.RDHUP);
    }

    boolean tryLock() {
        return lock.tryLock();
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /**
     * Runs a task under the lock: now, or if another thread is in a call, when that has its answer.
     *
     * @param task does not throw; may make calls of its own
     */
    void run(Runnable task) {
        lock.run(task);
    }

    UnixSocket socket() {
        return socket;
    }

    /** Begins a request. */
    ControlMessage request(int type) {
        assert lock.isHeldByCurrentThread();
        return request.request(type, ++requests);
    }

    /** Sends the request and waits for its answer. An answer with a status other than 0 is an exception. */
    ControlMessage call(Fd... attached) throws PdException {
        link.check();
        fds.closeAll();
        if (request.type() != ControlMessage.REMOVE_REGION) {
            // The answer to REMOVE_REGION carries no descriptor, and the request must reach the driver.
            takeReserve();
        }
        try {
            FairTimeout timeout = timeout();
            send(attached, timeout);
            receive(timeout);
        } catch (LinuxException e) {
            fds.closeAll();
            throw lost(e);
        }
        if (answer.status() != 0) {
            fds.closeAll();
            throw new PdException(answer.status(), answer.text());
        }
        return answer;
    }

    /** A descriptor that came with the answer, for the caller to close; null if there is none. */
    Fd descriptor(int index) {
        return index < fds.count() ? fds.take(index) : null;
    }

    /** The version of the driver's protocol in the last answer. */
    int driverVersion() {
        return answer.version();
    }

    /** Fails if the driver is gone, by one system call; does nothing while another thread calls the driver. */
    void checkDriver() throws PdException {
        link.check();
        if (lock.tryLock()) {
            try {
                if (look.await(0) != 0) {
                    throw ended();
                }
            } catch (LinuxException e) {
                throw lost(e);
            } finally {
                lock.unlock();
            }
        }
    }

    boolean isBroken() {
        return link.isBroken();
    }

    /** The exception for the end of the connection, with the driver's reason if it sent one. */
    PdException ended() {
        lock.lock();
        try {
            for (int i = 0; i < MAX_LAST_WORDS && !link.isBroken(); i++) {
                if (receiveLastWords()) {
                    return link.dismissed(answer.status(), answer.text());
                }
            }
            return link.gone();
        } finally {
            lock.unlock();
        }
    }

    private boolean receiveLastWords() {
        try {
            int length = socket.receive(answer.memory(), 0, ControlMessage.LENGTH, fds, false);
            fds.closeAll();
            return length == ControlMessage.LENGTH && answer.isMessage() && answer.type() == ControlMessage.GOODBYE;
        } catch (LinuxException e) {
            // ECONNRESET, which a driver causes that has left doorbells unread, comes once, before the queued messages.
            return false;
        }
    }

    private PdException lost(LinuxException e) {
        return switch (e.errno()) {
            case Errno.EPIPE, Errno.ECONNRESET, Errno.EBADF -> ended();
            default -> broken(e);
        };
    }

    /**
     * Ends this attachment for ever, also after a shortage: its threads must not wait for a driver that may not answer.
     */
    private PdException broken(LinuxException e) {
        boolean attached = request.type() != ControlMessage.ATTACH;
        return link.fail(attached ? Errno.ENODEV : e.errno(), "control connection to PD Driver: " + e.getMessage());
    }

    private void takeReserve() throws PdException {
        if (reserve == null) {
            try {
                reserve = EventFd.open();
            } catch (LinuxException e) {
                throw PdException.wrap("no descriptor left for what PD Driver may send", e);
            }
        }
    }

    private void closeReserve() {
        if (reserve != null) {
            reserve.close();
            reserve = null;
        }
    }

    private void send(Fd[] attached, FairTimeout timeout) throws LinuxException, PdException {
        while (!trySend(attached, timeout)) {
            await(Poll.OUT, timeout);
        }
    }

    private boolean trySend(Fd[] attached, FairTimeout timeout) throws LinuxException, PdException {
        try {
            return socket.send(request.memory(), 0, ControlMessage.LENGTH, attached) != UnixSocket.WOULD_BLOCK;
        } catch (LinuxException e) {
            if (e.errno() == Errno.EPERM && request.type() == ControlMessage.ATTACH) {
                // The driver permits descriptors when it has accepted the connection.
                if (timeout.isOver()) {
                    throw unanswered(timeout);
                }
                look.await(RETRY_MS);
                return false;
            }
            if (attached.length > 0 && Errno.isExhausted(e.errno())) {
                // For example ETOOMANYREFS, which other processes of this user can cause: nothing was sent.
                throw PdException.wrap("cannot pass a descriptor to PD Driver", e);
            }
            throw e;
        }
    }

    private void receive(FairTimeout timeout) throws LinuxException, PdException {
        while (true) {
            await(Poll.IN, timeout);
            // Not earlier: while the driver works, another thread could take the descriptor that this frees.
            closeReserve();
            int length = tryReceive(timeout);
            if (length == 0) {
                throw ended();
            }
            if (length == UnixSocket.WOULD_BLOCK) {
                continue;
            }
            if (length != ControlMessage.LENGTH || !answer.isMessage()) {
                fds.closeAll();
                throw link.nonsense("an answer of " + length + " bytes");
            } else if (answer.type() == ControlMessage.GOODBYE) {
                throw link.dismissed(answer.status(), answer.text());
            } else if (answer.requestId() == request.requestId() && answer.type() == request.type()) {
                return;
            } else {
                fds.closeAll();
                throw link.nonsense("an answer to something else");
            }
        }
    }

    /**
     * Without a free descriptor the answer stays queued, and this looks again; an attach fails instead, and loses
     * nothing.
     */
    private int tryReceive(FairTimeout timeout) throws LinuxException {
        try {
            return socket.receiveWhole(answer.memory(), 0, ControlMessage.LENGTH, fds);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EMFILE || request.type() == ControlMessage.ATTACH || timeout.isOver()) {
                throw e;
            }
            look.await(RETRY_MS);
            return UnixSocket.WOULD_BLOCK;
        }
    }

    private void await(short events, FairTimeout timeout) throws LinuxException, PdException {
        long left = left(timeout);
        poll.events(0, events);
        if (poll.await(Math.max(0, TimeUnit.NANOSECONDS.toMillis(left) + 1)) == 0 && timeout.isOver()) {
            throw unanswered(timeout);
        }
    }

    private PdException unanswered(FairTimeout timeout) {
        return link.fail(
                Errno.ETIMEDOUT,
                "PD Driver has not answered for " + TimeUnit.NANOSECONDS.toSeconds(timeout.elapsedNs()) + " seconds");
    }

    private FairTimeout timeout() {
        long begin = System.nanoTime();
        return request.type() == ControlMessage.ATTACH
                ? new FairTimeout(begin, ATTACH_PATIENCE_NS, ATTACH_PATIENCE_NS)
                : new FairTimeout(begin, PATIENCE_NS);
    }

    private static long left(FairTimeout timeout) {
        return timeout.untilNs() - System.nanoTime();
    }

    @Override
    public void close() {
        fds.closeAll();
        closeReserve();
        socket.close();
    }
}
