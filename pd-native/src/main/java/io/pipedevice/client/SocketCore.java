// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdBufferOwner;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.wait.Readiness;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The identity, the state and the end of a socket of a driver. Thread safe.
 *
 * <p>State, addresses and rings change under the control channel's lock.
 */
final class SocketCore extends PdBufferOwner implements Readiness, EventTarget {
    /** The states of a socket, in the order in which it passes them. */
    enum State {
        NEW,
        BOUND,
        LISTENING,
        CONNECTED
    }

    final DriverSession session;
    final int sid;
    final int generation;
    final SocketSlot slot;
    final SocketOptions options = new SocketOptions();

    /**
     * Its close ends all access to the socket's words and rings by late threads. The JVM stops each of its threads for
     * that, one by one. So it is null if the caller itself keeps late threads out.
     */
    private final Arena arena;

    private final AtomicBoolean closed = new AtomicBoolean();
    private final EpollEntries epollEntries;

    private volatile State state = State.NEW;
    private volatile InetSocketAddress localAddress;
    private volatile InetSocketAddress peerAddress;
    private volatile Sender sender;
    private volatile Receiver receiver;
    private volatile Acceptor acceptor;
    private volatile boolean outputShut;
    private volatile boolean inputShut;
    private volatile boolean waitsEnded;

    /** Under the control lock, as the rings. */
    private boolean outputEnded;

    private RingBuffer sendRing;
    private ReceiveRegions.Ring receiveRing;

    SocketCore(DriverSession session, int sid, int generation) {
        this.session = session;
        this.sid = sid;
        this.generation = generation;
        this.arena = session.closesIdle() ? null : Arena.ofShared();
        this.slot = new SocketSlot(
                scope(session.pages().own(sid)), scope(session.pages().driver(sid)));
        this.epollEntries = new EpollEntries(slot, session.parking());
    }

    private MemorySegment scope(MemorySegment memory) {
        return arena == null ? memory : scoped(memory, arena);
    }

    @Override
    protected boolean isOpen() {
        return !closed.get();
    }

    boolean isOutputShut() {
        return outputShut;
    }

    boolean isInputShut() {
        return inputShut;
    }

    State state() {
        return state;
    }

    InetSocketAddress localAddress() {
        return localAddress;
    }

    InetSocketAddress peerAddress() {
        return peerAddress;
    }

    /** The count of sends that were posted. Any thread. */
    long sends() {
        Sender current = sender;
        return current == null ? 0 : current.posts();
    }

    /** The sending half of an open, connected socket. */
    Sender sender() {
        Sender current = sender;
        if (current == null) {
            throw unconnected();
        }
        return current;
    }

    /** The receiving half of an open, connected socket. */
    Receiver receiver() {
        Receiver current = receiver;
        if (current == null) {
            throw unconnected();
        }
        return current;
    }

    /** The accepting side of an open, listening socket. */
    Acceptor acceptor() {
        Acceptor current = acceptor;
        if (current == null) {
            throw new IllegalStateException(this + " does not listen");
        }
        return current;
    }

    private IllegalStateException unconnected() {
        return new IllegalStateException(this + " is not connected");
    }

    /** The exception of a call that broke a rule, or that found the socket's memory closed by another thread. */
    IllegalStateException misuse(String call, IllegalStateException e) {
        return isOpen() ? e : new IllegalStateException(call + " on a closed socket", e);
    }

    /** Fails if rings grow: what a call lends would be in the way. */
    void requireWholeRings(String call) {
        if (session.growingRings()) {
            throw new IllegalStateException(call + " on " + this + ", whose rings grow");
        }
    }

    /** Fails unless a call is allowed now. Under the control lock. */
    void require(String call, State... allowed) {
        if (!isOpen()) {
            throw new IllegalStateException(call + " on a closed socket");
        }
        for (State each : allowed) {
            if (state == each) {
                return;
            }
        }
        throw new IllegalStateException(call + " on " + this + ", whose state is " + state);
    }

    /** Under the control lock. */
    void bound(InetSocketAddress local) {
        localAddress = local;
        state = State.BOUND;
    }

    /** Under the control lock. */
    void listening(InetSocketAddress local, Acceptor.Backlog backlog) {
        localAddress = local;
        if (acceptor == null) {
            acceptor = new Acceptor(session, slot, this, backlog);
        }
        state = State.LISTENING;
    }

    /** The driver knows the ring from now on. Under the control lock. */
    void sendRing(RingBuffer ring) {
        sendRing = ring;
    }

    /**
     * Allocates more of the send ring.
     *
     * @param from the part that is in use, in bytes
     * @param to the part that will be
     * @return how much can be in use; {@code from} if there is no memory; 0 if that cannot be found out now, because
     *     another thread of the process waits for the driver
     */
    int growSendRing(int from, int to) {
        ControlChannel control = session.control();
        if (!control.tryLock()) {
            return 0;
        }
        try {
            return isOpen() && session.sendMemory().grow(sendRing, from, to) ? to : from;
        } finally {
            control.unlock();
        }
    }

    /** Under the control lock. */
    void connected(ReceiveRegions.Ring ring, InetSocketAddress local, InetSocketAddress peer) {
        receiveRing = ring;
        localAddress = local;
        peerAddress = peer;
        receiver = new Receiver(this, scope(ring.memory));
        sender = new Sender(this, scope(sendRing.memory()), session.ringStart());
        state = State.CONNECTED;
    }

    /** Refuses all further sends, and wakes a thread that waits to send. */
    void stopWrites() {
        Sender sending = sender();
        outputShut = true;
        sending.wake();
    }

    /** Returns true once, to the caller that is to tell the driver that the stream ends. Under the control lock. */
    boolean endOutput() {
        boolean first = !outputEnded;
        outputEnded = true;
        return first;
    }

    /** Refuses all further receives, and wakes a thread that waits to receive. */
    void shutInput() {
        inputShut = true;
        receiver().wake();
        touchEpoll();
    }

    /**
     * Begins the close: leaves all epoll instances, and wakes all waiting threads. False if another thread has done it.
     */
    boolean beginClose() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        epollEntries.removeAll();
        wakeSleepers(ArmWord.IN | ArmWord.OUT);
        return true;
    }

    /**
     * Ends all access to the socket's words and rings, unless another thread has done it. From the return on no thread
     * is in the middle of an access, and none begins one.
     */
    void closeMemory() {
        if (arena == null) {
            endEpollWords();
            return;
        }
        synchronized (arena) {
            if (arena.scope().isAlive()) {
                SharedRegion.closeArena(arena);
            }
        }
    }

    /** The threads of epoll instances write words of the socket outside of its calls. */
    private void endEpollWords() {
        epollEntries.end();
        Sender sending = sender;
        if (sending != null) {
            sending.end();
        }
    }

    /** Ends the waits of other threads, now and for ever, and leaves the socket open. */
    void endWaits() {
        waitsEnded = true;
        wakeSleepers(ArmWord.IN | ArmWord.OUT);
    }

    @Override
    public void wakeAll() {
        wakeSleepers(ArmWord.IN | ArmWord.OUT);
        touchEpoll();
    }

    /** Makes the threads that sleep for an interest look again. Any thread. */
    private void wakeSleepers(int interest) {
        boolean in = (interest & ArmWord.IN) != 0;
        if (in && receiver != null) {
            receiver.wake();
        }
        if (in && acceptor != null) {
            acceptor.wake();
        }
        if ((interest & ArmWord.OUT) != 0 && sender != null) {
            sender.wake();
        }
    }

    @Override
    public void served(int served) {
        if ((served & ArmWord.EVENT) != 0) {
            wakeSleepers(served);
        } else {
            touchEpoll();
        }
    }

    /** Gives the rings of a closed socket back. Under the control lock. */
    void releaseRings() {
        if (receiver != null) {
            // Bytes that recv handed out count as read, as in TCP, whether the program released them or not.
            session.pages().consumed(sid, receiver.handed());
        }
        if (receiveRing != null) {
            session.receiveRegions().give(receiveRing);
        }
        if (sendRing != null) {
            session.sendMemory().giveWhenClosed(sid, generation, sendRing);
        }
    }

    @Override
    public boolean waitsEnded() {
        return waitsEnded || !isOpen();
    }

    EpollEntries epollEntries() {
        return epollEntries;
    }

    /** Makes the socket's epoll instances look at it again. */
    void touchEpoll() {
        epollEntries.touch();
    }

    @Override
    public int readiness(int wanted) {
        State now = state;
        if (now == State.LISTENING) {
            return slot.backlog() > 0 ? wanted & PdEpoll.IN : 0;
        }
        if (now != State.CONNECTED) {
            return 0;
        }
        long bits = slot.state();
        int ready = 0;
        if ((bits & DriverPageDescriptor.STATE_RESET) != 0 || session.link().isBroken()) {
            ready = PdEpoll.IN | PdEpoll.OUT | PdEpoll.RDHUP | PdEpoll.ERR | PdEpoll.HUP;
        } else if ((bits & DriverPageDescriptor.STATE_END_OF_FILE) != 0 || inputShut) {
            ready = PdEpoll.IN | PdEpoll.RDHUP | (outputShut ? PdEpoll.HUP : 0);
        }
        if ((wanted & PdEpoll.IN) != 0 && receiver.isReadable()) {
            ready |= PdEpoll.IN;
        }
        if ((wanted & PdEpoll.OUT) != 0 && sender.isWritable()) {
            ready |= PdEpoll.OUT;
        }
        return ready & (wanted | PdEpoll.ERR | PdEpoll.HUP);
    }

    /** Whether the peer wants urgent data in its stream. Any thread. */
    boolean peerTakesUrgent() {
        return (slot.state() & DriverPageDescriptor.STATE_PEER_INLINE) != 0;
    }

    /** Differs from an earlier value if bytes or a connection came. Any thread. */
    long inputEdge() {
        Acceptor accepting = acceptor;
        return accepting == null ? slot.produced() : accepting.edge();
    }

    /** Differs from an earlier value if the connection's state changed. Any thread. */
    long stateEdge() {
        return (slot.state() & 0xFFFFFFFFL)
                | (outputShut ? 1L << 32 : 0)
                | (inputShut ? 4L << 32 : 0)
                | (state == State.CONNECTED ? 2L << 32 : 0);
    }

    /** Differs from an earlier value if the program was refused room. Any thread. */
    int refusals() {
        Sender sending = sender;
        return sending == null ? 0 : sending.refusals();
    }

    /** Writes what the driver must find before it finds the epoll's arm word. Any thread. */
    void beforeEpollSleep() throws PdException {
        Sender sending = sender;
        if (sending != null) {
            sending.announceWanted();
            receiver.announceBeforeSleep();
        }
    }

    @Override
    public String toString() {
        return "socket " + sid + (localAddress == null ? "" : " " + localAddress)
                + (peerAddress == null ? "" : " -> " + peerAddress);
    }
}
