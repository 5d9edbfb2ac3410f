// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.queue.CommandType;
import java.net.InetSocketAddress;

/** Opens, connects, shuts down and closes the sockets of a driver. Each request holds the control channel's lock. */
final class SocketControl {
    private final DriverSession session;
    private final ControlChannel control;
    private final SocketTable<SocketCore> sockets;

    SocketControl(DriverSession session, SocketTable<SocketCore> sockets) {
        this.session = session;
        this.control = session.control();
        this.sockets = sockets;
    }

    PdSocket open() throws PdException {
        control.lock();
        try {
            session.link().check();
            housekeeping();
            control.request(ControlMessage.SOCKET);
            return new DriverSocket(newSocket(control.call().socketId()), this, 0);
        } finally {
            control.unlock();
        }
    }

    private SocketCore newSocket(int socketId) throws PdException {
        if (socketId < 0 || socketId >= session.pages().maxSockets) {
            throw session.link().nonsense("socket id " + socketId);
        }
        // Before any request names the id: the driver reads the words only after one does.
        session.pages().clear(socketId);
        int generation = (int) (session.pages().state(socketId) >>> 32);
        SocketCore socket = new SocketCore(session, socketId, generation);
        sockets.add(socketId, socket);
        return socket;
    }

    void bind(SocketCore socket, InetSocketAddress local) throws PdException {
        control.lock();
        try {
            socket.require("bind", SocketCore.State.NEW);
            control.request(ControlMessage.BIND).socketId(socket.sid).localAddress(resolved(local));
            socket.bound(control.call().localAddress());
        } finally {
            control.unlock();
        }
    }

    void listen(SocketCore socket, int backlog) throws PdException {
        control.lock();
        try {
            socket.require("listen", SocketCore.State.NEW, SocketCore.State.BOUND, SocketCore.State.LISTENING);
            if (socket.state() == SocketCore.State.NEW) {
                bind(socket, new InetSocketAddress(0));
            }
            control.request(ControlMessage.LISTEN)
                    .socketId(socket.sid)
                    .value(backlog)
                    .receiveRingSize(socket.options.receiveSize())
                    .ringStart(session.ringStart());
            InetSocketAddress local = control.call().localAddress();
            socket.listening(local == null ? socket.localAddress() : local, () -> accept(socket));
        } finally {
            control.unlock();
        }
        socket.touchEpoll();
    }

    void connect(SocketCore socket, InetSocketAddress peer) throws PdException {
        connect(socket, resolved(peer), 0);
    }

    /** As {@link DriverSocket#connectIntroduced}. */
    void connectIntroduced(SocketCore socket, InetSocketAddress peer, long number) throws PdException {
        boolean answered = false;
        try {
            connect(socket, peer, number);
            answered = true;
        } catch (PdException e) {
            answered = !session.link().isBroken() && socket.isOpen();
            throw answered ? e : new PdException(Errno.ECONNRESET, e.getMessage());
        } finally {
            if (!answered) {
                close(socket, true);
            }
        }
    }

    private void connect(SocketCore socket, InetSocketAddress to, long number) throws PdException {
        control.lock();
        try {
            socket.require("connect", SocketCore.State.NEW, SocketCore.State.BOUND);
            RingBuffer ring = session.sendMemory().take(socket.options.sendSize(), session.ringStart());
            ControlMessage answer;
            try {
                control.request(ControlMessage.CONNECT)
                        .socketId(socket.sid)
                        .peerAddress(to)
                        .argument(number)
                        .sendRing(ring.region(), ring.offset(), ring.size())
                        .receiveRingSize(socket.options.receiveSize())
                        .ringStart(session.ringStart());
                answer = control.call();
            } catch (PdException e) {
                session.sendMemory().give(ring);
                throw e.errno() == Errno.ECONNREFUSED ? PdException.refused(e) : e;
            }
            connected(socket, ring, answer);
        } finally {
            control.unlock();
        }
        socket.touchEpoll();
    }

    /** Takes a connection that waits; null if there is none. */
    private PdSocket accept(SocketCore listener) throws PdException {
        control.lock();
        try {
            listener.require("accept", SocketCore.State.LISTENING);
            housekeeping();
            RingBuffer ring = session.sendMemory().take(listener.options.sendSize(), session.ringStart());
            ControlMessage answer;
            try {
                control.request(ControlMessage.ACCEPT)
                        .socketId(listener.sid)
                        .sendRing(ring.region(), ring.offset(), ring.size())
                        .ringStart(session.ringStart());
                answer = control.call();
            } catch (PdException e) {
                session.sendMemory().give(ring);
                if (e.errno() == Errno.EAGAIN) {
                    return null;
                }
                throw e;
            }
            SocketCore socket = newSocket(answer.socketId());
            socket.options.inherit(listener.options);
            session.requests().insist(CommandType.OPENED, socket.sid, 0, socket.generation);
            int introduction = answer.value();
            connected(socket, ring, answer);
            return new DriverSocket(socket, this, introduction);
        } finally {
            control.unlock();
        }
    }

    /** Takes the rings of a connection that the driver has made: a failure here closes the socket. */
    private void connected(SocketCore socket, RingBuffer ring, ControlMessage answer) throws PdException {
        boolean done = false;
        try {
            socket.sendRing(ring);
            ReceiveRegions.Ring receiveRing = receiveRing(answer);
            socket.connected(receiveRing, answer.localAddress(), answer.peerAddress());
            done = true;
        } finally {
            if (!done) {
                close(socket, true);
            }
        }
    }

    private ReceiveRegions.Ring receiveRing(ControlMessage answer) throws PdException {
        // In this order: if the region's number was used before, the event that it was dropped precedes the answer.
        session.events().settle();
        return session.receiveRegions().take(answer, control.descriptor(0));
    }

    void shutdownOutput(SocketCore socket) throws PdException {
        control.lock();
        try {
            socket.require("shutdownOutput", SocketCore.State.CONNECTED);
            session.link().check();
            socket.stopWrites();
            if (socket.endOutput()) {
                session.requests().insist(CommandType.SHUTDOWN, socket.sid, 0, socket.generation);
            }
        } finally {
            control.unlock();
        }
        socket.touchEpoll();
    }

    /** Notifies the driver, which answers bytes that come after both directions are shut by a reset. */
    void shutdownInput(SocketCore socket) {
        socket.shutInput();
        control.lock();
        try {
            if (socket.isOpen()) {
                session.link().check();
                session.requests().insist(CommandType.SHUTDOWN_INPUT, socket.sid, 0, socket.generation);
            }
        } catch (PdException e) {
            // The driver is gone: the peer cannot write any more.
            return;
        } finally {
            control.unlock();
        }
    }

    /**
     * Notifies the driver whether the socket wants urgent data in its stream; the peer sees the answer at the return.
     */
    void takeUrgent(SocketCore socket, boolean inline) {
        control.lock();
        try {
            if (socket.isOpen()) {
                control.request(ControlMessage.TAKE_URGENT).socketId(socket.sid).value(inline ? 1 : 0);
                control.call();
            }
        } catch (PdException e) {
            // The driver is gone, and the peer cannot write any more; or it is of a version that always drops urgent
            // data.
            return;
        } finally {
            control.unlock();
        }
    }

    /** Closes a socket, unless another thread has begun to close it. */
    void close(SocketCore socket, boolean abort) {
        if (socket.beginClose()) {
            finishClose(socket, abort);
        }
    }

    /** Closes a socket. If another thread has begun the close, this call does the rest. */
    void closeWholly(SocketCore socket, boolean abort) {
        socket.beginClose();
        finishClose(socket, abort);
    }

    private void finishClose(SocketCore socket, boolean abort) {
        socket.closeMemory();
        tellClosed(socket, abort);
    }

    /**
     * Notifies the driver once that a socket is closed, whose words no thread uses any more. Does not wait for the call
     * of another thread, which may wait for a driver that is late: a thread closes a socket also when it leaves a read
     * that another thread has ended.
     */
    private void tellClosed(SocketCore socket, boolean abort) {
        control.run(() -> {
            if (!sockets.remove(socket.sid, socket)) {
                return;
            }
            socket.releaseRings();
            try {
                session.link().check();
                session.requests().insist(CommandType.CLOSE, socket.sid, abort ? 1 : 0, socket.generation);
                housekeeping();
            } catch (PdException e) {
                // The driver is gone, and its socket with it.
                session.sendMemory().reclaim();
            }
        });
    }

    long sendMemoryInUse() {
        control.lock();
        try {
            housekeeping();
            return session.sendMemory().bytesInUse();
        } finally {
            control.unlock();
        }
    }

    private void housekeeping() {
        session.events().drain();
        session.sendMemory().reclaim();
    }

    private static InetSocketAddress resolved(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address: " + address);
        }
        return address;
    }
}
