// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.protocol.DriverPageDescriptor;
import java.net.InetSocketAddress;

/**
 * The driver's socket structure (§3.4): the state of one socket of one process. What establishes connections calls its
 * methods. The classes of the data path share its fields; the comment of each group names the class that changes it.
 * Belongs to the driver's thread.
 */
public final class Endpoint {
    /** The state of a socket; it only moves forward. */
    public enum State {
        /** Neither bound nor connected. */
        ACTIVE,
        /** Has an address. */
        BOUND,
        /** Accepts connections. */
        LISTENING,
        /** Is an end of a connection. */
        CONNECTED,
        /** Has no ring, id or port any more. */
        RELEASED
    }

    /** The process to which the socket belongs. */
    public final AttachedProcess process;
    /** The id by which the process knows the socket. */
    public final int sid;

    final int generation;
    /** Its words in the shared pages. */
    final Slot slot;

    State state = State.ACTIVE;

    /** The address of this end; null before bind and connect. */
    private InetSocketAddress local;

    /** The address of the other end; null before connect. */
    private InetSocketAddress remote;

    /** Of a listener; null before listen. */
    private Backlog<Endpoint> backlog;

    /** The request of the accepted connection of the kernel's that this one goes on for; 0 if there is none. */
    private int introduction;

    /** Set with the {@link Connection}. The peer stays known after either end is released. */
    Connection connection;

    int side;
    Endpoint peer;

    /** Whether the process knows the id; false while the connection waits for accept. */
    boolean known;

    /** Whether the process has initialised its words in the slot. Until then the driver reads none of them. */
    boolean opened;

    /** The send ring, in memory of the process; null until the socket may send. */
    SendRegion sendRegion;

    /** Device address of the send ring. */
    long sendBase;

    /** Offset of the send ring in its region, in bytes. */
    long sendOffset;

    /** Size of the send ring, and how much of it is in use, in bytes. */
    int sendRingSize;

    int sendSize;

    /** The receive ring, in memory of the driver. */
    RingBuffer receiveRing;

    /** Device address of the receive ring. */
    long receiveBase;

    /** The bytes in the part of the receive ring that is in use. */
    ReceiveBufferTable received;

    /**
     * Whether that part can still grow; {@link ReceiveRoom} ends it, also when there is no memory for a larger part.
     */
    boolean receiveRingGrows;

    /** {@link CopyScheduler}: the sends that must be copied to the peer. */
    SendQueue sends;

    long sendsCompleted;

    /** {@link CopyScheduler}: number of commands of this socket's sends that are in the device. */
    int inFlight;

    /** {@link Completions}: number of completed commands, now and at the last check. */
    long completions;

    long completionsSeen = -1;

    /** {@link CopyScheduler}: whether the socket is in its process's round, or waits for its process's rate. */
    boolean scheduled;

    boolean throttled;

    /** {@link CopyScheduler}: what is left of the socket's turn, if that was interrupted; 0 or less if not. */
    int turnLeftNs;

    /** {@link CopyScheduler}: whether the peer waits for space in this socket's receive ring. */
    boolean spaceWanted;

    /** For a connected socket: whether it wants urgent data in its stream. */
    private boolean takesUrgent;

    /** {@link RequestReader}: whether the process has shut its input down. */
    boolean inputShut;

    /** {@link Teardown}: whether the process has shut its output down, has closed the socket, or is gone. */
    boolean outputShut;

    /** Whether the process has closed the socket, or is gone. */
    boolean closing;

    /**
     * {@link Teardown}, for a closed socket: the time of the last check, and the peer's count of consumed bytes at that
     * time.
     */
    long lingerAtNs;

    long lingerConsumed;

    /** {@link Teardown}: whether this socket was notified of end-of-file; whether the connection was reset. */
    boolean endOfFile;

    boolean reset;

    /** {@link Notifier}: the arm words that were served, and the changes to notify the process of. */
    long servedReadArm;

    long servedWriteArm;
    long servedEpollArm;
    int changes;
    long changedSinceNs;
    long changedCycle;
    long notifiedProduced;

    Endpoint(AttachedProcess process, int sid, int generation, Slot slot) {
        this.process = process;
        this.sid = sid;
        this.generation = generation;
        this.slot = slot;
    }

    /**
     * The state.
     *
     * @return any
     */
    public State state() {
        return state;
    }

    /**
     * Whether the process has closed the socket, or is gone.
     *
     * @return true even while data are still delivered
     */
    public boolean isClosing() {
        return closing;
    }

    /**
     * Whether the process knows the id.
     *
     * @return false while the connection waits for accept
     */
    public boolean isKnown() {
        return known;
    }

    /** Records that the process gets the id. */
    public void makeKnown() {
        known = true;
    }

    /** Records that the process has initialised its words in the slot. */
    public void opened() {
        opened = true;
    }

    /**
     * The address of this end.
     *
     * @return null before bind and connect
     */
    public InetSocketAddress local() {
        return local;
    }

    /**
     * Sets the address of this end.
     *
     * @param address null for none
     */
    public void local(InetSocketAddress address) {
        local = address;
    }

    /**
     * The address of the other end.
     *
     * @return null before connect
     */
    public InetSocketAddress remote() {
        return remote;
    }

    /**
     * Sets the address of the other end.
     *
     * @param address of a connection
     */
    public void remote(InetSocketAddress address) {
        remote = address;
    }

    /** Records that the socket has the address that its process asked for. */
    public void bound() {
        state = State.BOUND;
    }

    /**
     * Accepts connections from now on. A socket that already does so keeps those that wait.
     *
     * @param limit how many connections may wait for accept
     * @param ringSize of the receive rings of accepted sockets, in bytes
     * @param ringStart how much of them is used at first, in bytes
     */
    public void listen(int limit, int ringSize, int ringStart) {
        if (state != State.LISTENING) {
            state = State.LISTENING;
            backlog = new Backlog<>(slot);
        }
        backlog.set(limit, ringSize, ringStart);
    }

    /**
     * The connections that wait for accept.
     *
     * @return null before listen
     */
    public Backlog<Endpoint> backlog() {
        return backlog;
    }

    /**
     * The request of the accepted connection of the kernel's that this one goes on for.
     *
     * @return 0 if there is none
     */
    public int introduction() {
        return introduction;
    }

    /**
     * Sets the request of the accepted connection of the kernel's that this one goes on for.
     *
     * @param request its number
     */
    public void introduction(int request) {
        introduction = request;
    }

    /**
     * Gives the socket its send ring, which its process owns.
     *
     * @param region retained until the socket is released
     * @param base device address of the ring
     * @param offset of the ring in the region, in bytes
     * @param ringSize in bytes
     * @param used how much of the ring is in use, in bytes
     */
    public void sendRing(SendRegion region, long base, long offset, int ringSize, int used) {
        region.retain();
        sendRegion = region;
        sendBase = base;
        sendOffset = offset;
        sendRingSize = ringSize;
        sendSize = used;
        if (sends != null) {
            // An accepted socket was connected before.
            sends.ringSize(used);
        }
    }

    /**
     * Gives the socket a receive ring of its process's pool.
     *
     * @param ring unused
     * @param table of the part that is in use
     */
    public void receiveRing(RingBuffer ring, ReceiveBufferTable table) {
        receiveRing = ring;
        receiveBase = process.memory.receiveAddress(ring.region()) + ring.offset();
        received = table;
        receiveRingGrows = table.ringSize() < ring.size();
        slot.ring(table);
    }

    /**
     * The receive ring.
     *
     * @return null if the socket has none
     */
    public RingBuffer receiveRing() {
        return receiveRing;
    }

    /**
     * How much of the receive ring is in use.
     *
     * @return in bytes
     */
    public int receiveSize() {
        return received.ringSize();
    }

    /** Gives the receive ring back to the pool, if the socket has one. */
    public void giveReceiveRingBack() {
        if (receiveRing != null) {
            process.memory.receivePool.give(receiveRing);
            receiveRing = null;
        }
    }

    /**
     * Makes the socket an end of a connection.
     *
     * @param queue empty
     */
    public void connected(SendQueue queue) {
        state = State.CONNECTED;
        process.counters.connected();
        sends = queue;
        sends.ringSize(sendSize);
        publishState();
    }

    /** Removes a socket that no process has seen, and that is no end of a connection. */
    public void discard() {
        giveReceiveRingBack();
        state = State.RELEASED;
        process.sockets.remove(this);
    }

    /** Publishes the state bits that PD Lib sees. */
    void publishState() {
        long bits = state == State.CONNECTED ? DriverPageDescriptor.STATE_CONNECTED : 0;
        bits |= endOfFile ? DriverPageDescriptor.STATE_END_OF_FILE : 0;
        bits |= reset ? DriverPageDescriptor.STATE_RESET : 0;
        bits |= state == State.RELEASED ? DriverPageDescriptor.STATE_CLOSED : 0;
        bits |= peer != null && peer.takesUrgent ? DriverPageDescriptor.STATE_PEER_INLINE : 0;
        slot.state(generation, bits);
    }

    /**
     * Sets whether this connected socket wants urgent data in its stream, and publishes that to its peer.
     *
     * @param inline whether it does
     */
    public void takeUrgent(boolean inline) {
        takesUrgent = inline;
        // The words of a released peer may belong to another socket by now.
        if (peer.state == State.CONNECTED) {
            peer.publishState();
        }
    }

    /** Whether data may still be put into this socket's receive ring. */
    boolean canReceive() {
        return state == State.CONNECTED && !closing && !reset;
    }

    @Override
    public String toString() {
        return "socket " + sid + " of " + process + " " + local + " -> " + remote;
    }
}
