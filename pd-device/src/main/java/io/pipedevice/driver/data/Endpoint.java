// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.memory.ReceiveBufferTable;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.protocol.DriverPageDescriptor;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;

/**
 * The driver's socket structure (§3.4): the state of one socket of one process. Belongs to the driver's thread. The
 * driver's classes share its fields; the comment of each group names the class that changes it.
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
    public final Slot slot;

    /** SocketControl: the addresses and the kind of the socket. */
    public State state = State.ACTIVE;

    /** The address of this end; null before bind and connect. */
    public InetSocketAddress local;
    /** The address of the other end; null before connect. */
    public InetSocketAddress remote;

    /** SocketControl, for a listener: the connections that wait for accept, and the parameters of accepted sockets. */
    public ArrayDeque<Endpoint> backlog;

    /** How many connections may wait for accept. */
    public int backlogLimit;
    /** Size of the receive rings of accepted sockets, in bytes. */
    public int acceptedRingSize;
    /** How much of them is used at first, in bytes. */
    public int acceptedRingStart;

    /** The request of the accepted connection of the kernel's that this one goes on for; 0 if there is none. */
    public int introduction;

    /** SocketControl, for a connected socket. The peer stays known after either end is released. */
    Connection connection;

    int side;
    Endpoint peer;

    /** Whether the process knows the id; false while the connection waits for accept. */
    public boolean known;

    /** Whether the process has initialised its words in the slot. Until then the driver reads none of them. */
    public boolean opened;

    /** SocketControl: the send ring, in memory of the process. */
    public SendRegion sendRegion;

    /** Device address of the send ring. */
    public long sendBase;
    /** Offset of the send ring in its region, in bytes. */
    public long sendOffset;
    /** Size of the send ring, in bytes. */
    public int sendRingSize;

    /** How much of the send ring is in use, in bytes. */
    public int sendSize;

    /** SocketControl: the receive ring, in memory of the driver. */
    public RingBuffer receiveRing;

    /** Device address of the receive ring. */
    public long receiveBase;
    /** The bytes in the part of the receive ring that is in use. */
    public ReceiveBufferTable received;

    /** Whether that part can still grow; {@link ReceiveRoom} ends it, also when there is no memory for a larger part. */
    public boolean receiveRingGrows;

    /** {@link CopyScheduler}: the sends that must be copied to the peer. */
    public SendQueue sends;

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

    /** SocketControl, for a connected socket: whether it wants urgent data in its stream. */
    private boolean takesUrgent;

    /** {@link RequestReader}: whether the process has shut its input down. */
    boolean inputShut;

    /** {@link Teardown}: whether the process has shut its output down, has closed the socket, or is gone. */
    boolean outputShut;

    /** Whether the process has closed the socket, or is gone. */
    public boolean closing;

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
    long toldProduced;

    Endpoint(AttachedProcess process, int sid, int generation, Slot slot) {
        this.process = process;
        this.sid = sid;
        this.generation = generation;
        this.slot = slot;
    }

    /** Publishes the state bits that PD Lib sees. */
    public void publishState() {
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
