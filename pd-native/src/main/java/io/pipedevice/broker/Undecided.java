// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.wait.Later;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The connections that the kernel has accepted for a listener and that the program does not have yet, and the questions
 * to the driver about them. Thread safe; what needs the lock of the listener's accepting thread says so.
 *
 * @param <C> the kernel's connections
 */
final class Undecided<C> implements HeldConnection.Host<C> {
    private static final int MOST_HELD = 1024;

    /** The request of a connection about which the driver is not asked. */
    private static final int NOT_ASKED = -1;

    /** How long a connection is held whose client was introduced by a driver that has ended since. */
    private static final long ORPHAN_MS = 2_000;

    private static final long LAST_ANSWER_MS = 1_000;

    /**
     * More than the time within which an introduced client posts its connection, if it is not going to stay on the
     * kernel.
     */
    private static final long EXPECTED_MS = 6_000;

    private final int listener;
    private final LinkClaims<C> claims;
    private final Consumer<C> closer;
    private final Runnable wakeUp;

    /** Of the listener's accepting thread. */
    private final ReentrantLock lock;

    /** Connections about which the driver has not decided, by their requests. */
    private final ConcurrentHashMap<Integer, HeldConnection<C>> asked = new ConcurrentHashMap<>();

    /** Connections whose clients will move to rings. */
    private final ConcurrentHashMap<HeldConnection.Client, HeldConnection<C>> expected = new ConcurrentHashMap<>();

    /** Connections that may stay on the kernel, unless their clients have moved to rings before. */
    private final Queue<HeldConnection<C>> released;

    private volatile boolean closed;

    /**
     * @param listener its number
     * @param released thread safe and empty; connections that may stay on the kernel are added
     * @param wakeUp is run after one was added
     * @param closer closes a connection that the program does not get
     * @param lock of the listener's accepting thread
     */
    Undecided(
            int listener,
            LinkClaims<C> claims,
            Queue<HeldConnection<C>> released,
            Runnable wakeUp,
            Consumer<C> closer,
            ReentrantLock lock) {
        this.listener = listener;
        this.claims = claims;
        this.released = released;
        this.closer = closer;
        this.wakeUp = wakeUp;
        this.lock = lock;
    }

    @Override
    public boolean expect(HeldConnection.Client client, HeldConnection<C> held) {
        // Now: the client's next connection may be accepted before the first one is taken.
        claims.introduced(client.pid(), held.session);
        boolean isFirst = expected.putIfAbsent(client, held) == null;
        // Afterwards: the program may get the connection meanwhile, and either sees the other.
        if (isFirst && asked.get(held.request) != held) {
            expected.remove(client, held);
        }
        return isFirst;
    }

    @Override
    public void ask(HeldConnection<C> held) {
        // A question that cannot be sent leaves it to its time.
        askDriver(held, held.proof.socket(), held.proof.port);
    }

    @Override
    public void released(HeldConnection<C> held) {
        if (held.isUnread()) {
            released.add(held);
            wakeUp.run();
        } else {
            giveUp(held);
        }
    }

    /** The driver stands still, or has died, while it reads the socket: as if the client had reset the connection. */
    private void giveUp(HeldConnection<C> held) {
        lock.lock();
        try {
            closeUnlessReturned(held);
        } finally {
            lock.unlock();
        }
    }

    private void closeUnlessReturned(HeldConnection<C> held) {
        assert lock.isHeldByCurrentThread();
        if (!held.isReturned()) {
            returned(held);
            closer.accept(held.connection);
        }
    }

    /** Treats the connection as reset: the client does not use the kernel's any more, and its rings are gone. */
    @Override
    public void checkClient(HeldConnection<C> held) {
        lock.lock();
        try {
            if (claims.isClientGone(held)) {
                closeUnlessReturned(held);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether no further one can be held; also after {@link #close}. */
    boolean isFull() {
        return closed || asked.size() >= MOST_HELD;
    }

    /** Whether a number of connections, or more, wait for the program. */
    boolean holds(int many) {
        return asked.size() >= many || released.size() >= many;
    }

    /**
     * The connection whose client the driver has named; null if it has named none, or not yet, or if the program has
     * the connection by the kernel. Under the lock.
     */
    HeldConnection<C> of(HeldConnection.Client client) {
        assert lock.isHeldByCurrentThread();
        HeldConnection<C> held = expected.get(client);
        return held == null || held.isReturned() ? null : held;
    }

    /** Waits until one of the clients that were asked for a byte posts the connection. */
    void await(HeldConnection<C> held) {
        asked.put(held.request, held);
        claims.await(held);
        dismissIfClosed();
    }

    /**
     * Asks the driver which process has the other end.
     *
     * @param socket of the connection; taken over unless this returns false
     * @param clientPort as this end sees it
     * @return false, without an effect, if that is not possible
     */
    boolean ask(HeldConnection<C> held, Fd socket, int clientPort) {
        asked.put(held.request, held);
        if (!askDriver(held, socket, clientPort)) {
            if (held.proof != null) {
                // A client may move to rings for it.
                held.lost();
                return true;
            }
            if (!held.end()) {
                // It was released meanwhile.
                return true;
            }
            asked.remove(held.request);
            return false;
        }
        if (held.proof == null) {
            socket.close();
        }
        dismissIfClosed();
        return true;
    }

    private boolean askDriver(HeldConnection<C> held, Fd socket, int clientPort) {
        ReadPermit permit = held.session.permit(held.request);
        boolean done = permit != null
                && held.permits(permit)
                && held.session.ask(Request.accepted(held.request, listener, clientPort, permit), held, socket);
        if (done) {
            held.asked();
            Later.after(BrokeredListener.ANSWER_MS, TimeUnit.MILLISECONDS, () -> withdraw(held));
        } else if (permit != null) {
            permit.withdraw();
        }
        return done;
    }

    /** The driver has not answered for long. */
    private void withdraw(HeldConnection<C> held) {
        if (asked.get(held.request) != held || held.isOver()) {
            return;
        }
        if (held.isExpected()) {
            limitWait(held);
            return;
        }
        held.session.send(Request.withdraw(held.request));
        Later.after(LAST_ANSWER_MS, TimeUnit.MILLISECONDS, () -> {
            if (held.isExpected()) {
                limitWait(held);
            } else {
                held.lost();
            }
        });
    }

    /** The driver has named the client. It may say that it has come, and end before it does. */
    private void limitWait(HeldConnection<C> held) {
        if (held.client() != null) {
            Later.after(EXPECTED_MS, TimeUnit.MILLISECONDS, () -> expire(held));
        }
    }

    private void expire(HeldConnection<C> held) {
        if (asked.get(held.request) != held || held.isOver()) {
            return;
        }
        if (claims.isWaiting(held.client())) {
            // The program has not accepted it yet.
            limitWait(held);
        } else {
            held.release(Errno.ETIMEDOUT, "the client has not gone on by rings");
        }
    }

    /** Releases a connection about which nothing is asked; owned by this from now on. */
    void pass(C connection) {
        new HeldConnection<>(this, NOT_ASKED, connection, null, null).release(0, "");
        dismissIfClosed();
    }

    /** An introduced client stays on the kernel. */
    void release(int request) {
        HeldConnection<C> held = asked.get(request);
        if (held != null) {
            held.release(Errno.ETIMEDOUT, "the client stayed on the kernel");
        }
    }

    /** A driver has ended. Connections that it had introduced may still move to rings. */
    void orphaned() {
        List<HeldConnection<C>> orphans =
                asked.values().stream().filter(HeldConnection::isExpected).toList();
        if (!orphans.isEmpty()) {
            Later.after(ORPHAN_MS, TimeUnit.MILLISECONDS, () -> orphans.forEach(HeldConnection::lost));
        }
    }

    /** Takes a connection that goes through the device; null if it is not held any more. Under the lock. */
    HeldConnection<C> takeAsked(int request) {
        assert lock.isHeldByCurrentThread();
        HeldConnection<C> held = asked.remove(request);
        if (held == null || held.isReturned()) {
            return null;
        }
        held.end();
        claims.forget(held);
        held.returned();
        return held;
    }

    /** Takes the first released connection if no client may move to rings for it; else null. Under the lock. */
    HeldConnection<C> pollFree() {
        assert lock.isHeldByCurrentThread();
        HeldConnection<C> first = released.peek();
        return first != null && first.isFree() && released.remove(first) ? first : null;
    }

    /** Takes the next connection that was released and not returned; null if there is none. Under the lock. */
    HeldConnection<C> pollReleased() {
        assert lock.isHeldByCurrentThread();
        HeldConnection<C> held = released.poll();
        while (held != null && held.isReturned()) {
            held = released.poll();
        }
        return held;
    }

    /** Keeps a connection of {@link #pollReleased} for a later look. */
    void putBack(HeldConnection<C> held) {
        released.add(held);
    }

    /** The program gets a connection. Under the lock. */
    void returned(HeldConnection<C> held) {
        assert lock.isHeldByCurrentThread();
        asked.remove(held.request, held);
        if (held.client() != null) {
            expected.remove(held.client(), held);
        }
        claims.forget(held);
        held.returned();
    }

    /** Closes the connections that are held, now and later. */
    void close() {
        closed = true;
        dismissAll();
    }

    private void dismissIfClosed() {
        if (closed) {
            dismissAll();
        }
    }

    private void dismissAll() {
        lock.lock();
        try {
            asked.values().forEach(this::dismiss);
            released.forEach(this::dismiss);
        } finally {
            lock.unlock();
        }
    }

    private void dismiss(HeldConnection<C> held) {
        if (!held.isReturned()) {
            claims.forget(held);
            held.returned();
            closer.accept(held.connection);
        }
    }
}
