// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.linux.Poll;
import io.pipedevice.nio.stat.ConnectionRecord;
import io.pipedevice.nio.transport.Transport;
import java.net.InetSocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;

/**
 * The phase of a socket channel, which only moves forward, and its transport. Changes under this object's monitor,
 * under which no thread blocks. Thread safe.
 */
final class SocketState {
    private enum Phase {
        UNCONNECTED,
        PENDING,
        CONNECTED,
        CLOSED
    }

    /** After an error or a hang-up all operations are ready; a socket that never was connected counts as hung up. */
    private static final int EVERYTHING = SelectionKey.OP_CONNECT | SelectionKey.OP_READ | SelectionKey.OP_WRITE;

    private volatile Phase phase = Phase.UNCONNECTED;

    /** This and the record are not null once it is decided how to connect, which is before the connect is finished. */
    private volatile Transport transport;

    private volatile ConnectionRecord record;

    private volatile InetSocketAddress local;
    private volatile InetSocketAddress remote;
    private volatile boolean inputShut;
    private volatile boolean outputShut;

    void requireOpen() throws ClosedChannelException {
        if (phase == Phase.CLOSED) {
            throw new ClosedChannelException();
        }
    }

    /** The transport of a channel that is connected. */
    Transport connected() throws ClosedChannelException {
        if (phase == Phase.CONNECTED) {
            return transport;
        }
        requireOpen();
        throw new NotYetConnectedException();
    }

    /** The channel's transport, even before the connect is finished; null while it is not decided. */
    Transport transport() {
        return transport;
    }

    /** Whether a call may wait in the kernel, perhaps for a connect to finish. */
    boolean waitsInKernel() {
        Transport through = transport;
        return through == null || through.waitsInKernel();
    }

    ConnectionRecord record() {
        return record;
    }

    boolean isConnected() {
        return phase == Phase.CONNECTED;
    }

    boolean isPending() {
        return phase == Phase.PENDING;
    }

    boolean isInputShut() {
        return inputShut;
    }

    boolean isOutputShut() {
        return outputShut;
    }

    /** The local address; null before bind and before the connect is finished; stays after close. */
    InetSocketAddress local() {
        return local;
    }

    /** The peer's address; null before connect; stays after close. */
    InetSocketAddress remote() {
        return remote;
    }

    void bound(InetSocketAddress to) {
        local = to;
    }

    synchronized void beginConnect(InetSocketAddress to) throws ClosedChannelException {
        requireOpen();
        if (phase == Phase.CONNECTED) {
            throw new AlreadyConnectedException();
        }
        requireNotPending();
        phase = Phase.PENDING;
        remote = to;
    }

    void requireNotPending() {
        if (phase == Phase.PENDING) {
            throw new ConnectionPendingException();
        }
    }

    /**
     * Sets the transport to connect with. If the channel was closed meanwhile this call fails, and the close releases
     * the transport.
     */
    synchronized void decided(Transport to, ConnectionRecord counts) throws AsynchronousCloseException {
        transport = to;
        record = counts;
        requireStillPending();
    }

    synchronized void finish(InetSocketAddress from) throws AsynchronousCloseException {
        requireStillPending();
        local = from;
        phase = Phase.CONNECTED;
    }

    private void requireStillPending() throws AsynchronousCloseException {
        if (phase != Phase.PENDING) {
            throw new AsynchronousCloseException();
        }
    }

    /** Begins an accepted connection. */
    synchronized void accepted(
            Transport from, ConnectionRecord counts, InetSocketAddress ownAddress, InetSocketAddress peer) {
        transport = from;
        record = counts;
        local = ownAddress;
        remote = peer;
        phase = Phase.CONNECTED;
    }

    /** Shuts the input; whether it was not shut before. */
    synchronized boolean shutInput() throws ClosedChannelException {
        connected();
        boolean first = !inputShut;
        inputShut = true;
        return first;
    }

    /** Shuts the output; whether it was not shut before. */
    synchronized boolean shutOutput() throws ClosedChannelException {
        connected();
        boolean first = !outputShut;
        outputShut = true;
        return first;
    }

    /** Moves to the last phase; whether the channel was connected. */
    synchronized boolean close() {
        boolean wasConnected = phase == Phase.CONNECTED;
        phase = Phase.CLOSED;
        return wasConnected;
    }

    /** The operations that events of the kernel's channel and of rings make ready. */
    int readyOps(int kernelEvents, int ringEvents) {
        return switch (phase) {
            case CONNECTED -> transport.readyOps(kernelEvents, ringEvents);
            case PENDING ->
                isOver(kernelEvents, ringEvents)
                        ? EVERYTHING
                        : (kernelEvents | ringEvents) == 0 ? 0 : SelectionKey.OP_CONNECT;
            case UNCONNECTED -> isOver(kernelEvents, ringEvents) ? EVERYTHING : 0;
            case CLOSED -> 0;
        };
    }

    private static boolean isOver(int kernelEvents, int ringEvents) {
        return (kernelEvents & (Poll.ERR | Poll.HUP)) != 0 || (ringEvents & (PdEpoll.ERR | PdEpoll.HUP)) != 0;
    }

    @Override
    public String toString() {
        String name = switch (phase) {
            case UNCONNECTED -> "unconnected";
            case PENDING -> "connection-pending";
            case CONNECTED -> "connected" + (inputShut ? " ishut" : "") + (outputShut ? " oshut" : "");
            case CLOSED -> "closed";
        };
        if (phase == Phase.CLOSED) {
            return name;
        }
        return name + (local == null ? "" : " local=" + local) + (remote == null ? "" : " remote=" + remote) + way();
    }

    private String way() {
        if (record == null) {
            return "";
        }
        return record.accelerated()
                ? " " + record.path().text() + " rings"
                : " kernel (" + record.reason().text() + ")";
    }
}
