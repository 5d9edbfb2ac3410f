// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.queue.CommandType;
import java.net.InetSocketAddress;

/** The calls about a socket that need an answer of the driver (§3.4), each under the control channel's lock. */
final class SocketControl {
    private final Attachment attachment;
    private final ControlChannel control;

    SocketControl(Attachment attachment) {
        this.attachment = attachment;
        this.control = attachment.control();
    }

    PdSocket open() throws PdException {
        control.lock();
        try {
            attachment.link().check();
            housekeeping();
            control.request(ControlMessage.SOCKET);
            return newSocket(control.call().socketId()).socket;
        } finally {
            control.unlock();
        }
    }

    private SocketCore newSocket(int socketId) throws PdException {
        if (socketId < 0 || socketId >= attachment.pages().maxSockets) {
            throw attachment.link().nonsense("socket id " + socketId);
        }
        // Before any request names the id: the driver reads the words only after one does.
        attachment.pages().clear(socketId);
        int generation = (int) (attachment.pages().state(socketId) >>> 32);
        SocketCore socket = new SocketCore(attachment, socketId, generation);
        attachment.register(socket);
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
                    .receiveRingSize(socket.options.receiveSize());
            InetSocketAddress local = control.call().localAddress();
            socket.listening(local == null ? socket.localAddress() : local);
        } finally {
            control.unlock();
        }
        socket.touchEpoll();
    }

    void connect(SocketCore socket, InetSocketAddress peer) throws PdException {
        control.lock();
        try {
            socket.require("connect", SocketCore.State.NEW, SocketCore.State.BOUND);
            InetSocketAddress to = resolved(peer);
            RingBuffer ring = attachment.sendMemory().take(socket.options.sendSize());
            ControlMessage answer;
            try {
                control.request(ControlMessage.CONNECT)
                        .socketId(socket.sid)
                        .peerAddress(to)
                        .sendRing(ring.region(), ring.offset(), ring.size())
                        .receiveRingSize(socket.options.receiveSize());
                answer = control.call();
            } catch (PdException e) {
                attachment.sendMemory().give(ring);
                throw e.errno() == Errno.ECONNREFUSED ? PdException.refused(e) : e;
            }
            connected(socket, ring, answer);
        } finally {
            control.unlock();
        }
        socket.touchEpoll();
    }

    /** Takes a connection that waits; null if there is none. */
    SocketCore accept(SocketCore listener) throws PdException {
        control.lock();
        try {
            listener.require("accept", SocketCore.State.LISTENING);
            housekeeping();
            RingBuffer ring = attachment.sendMemory().take(listener.options.sendSize());
            ControlMessage answer;
            try {
                control.request(ControlMessage.ACCEPT)
                        .socketId(listener.sid)
                        .sendRing(ring.region(), ring.offset(), ring.size());
                answer = control.call();
            } catch (PdException e) {
                attachment.sendMemory().give(ring);
                if (e.errno() == Errno.EAGAIN) {
                    return null;
                }
                throw e;
            }
            SocketCore socket = newSocket(answer.socketId());
            socket.options.inherit(listener.options);
            attachment.requests().insist(CommandType.OPENED, socket.sid, 0, socket.generation);
            connected(socket, ring, answer);
            return socket;
        } finally {
            control.unlock();
        }
    }

    /** The driver knows the connection: whatever fails from now on closes the socket. */
    private void connected(SocketCore socket, RingBuffer ring, ControlMessage answer) throws PdException {
        boolean done = false;
        try {
            socket.sendRing(ring);
            ReceiveRegions.Ring receiveRing = receiveRing(answer);
            socket.connected(receiveRing, answer.localAddress(), answer.peerAddress());
            done = true;
        } finally {
            if (!done) {
                socket.close(true);
            }
        }
    }

    private ReceiveRegions.Ring receiveRing(ControlMessage answer) throws PdException {
        // In this order: if the region's number was used before, the event that it was dropped precedes the answer.
        attachment.events().settle();
        return attachment.receiveRegions().take(answer, control.descriptor(0));
    }

    void shutdownOutput(SocketCore socket) throws PdException {
        control.lock();
        try {
            socket.require("shutdownOutput", SocketCore.State.CONNECTED);
            attachment.link().check();
            socket.stopWrites();
            if (socket.endOutput()) {
                attachment.requests().insist(CommandType.SHUTDOWN, socket.sid, 0, socket.generation);
            }
        } finally {
            control.unlock();
        }
        socket.touchEpoll();
    }

    /** The driver has to know it: whatever comes once the output is shut, too, is answered by a reset. */
    void shutdownInput(SocketCore socket) {
        socket.shutInput();
        control.lock();
        try {
            if (socket.isOpen()) {
                attachment.link().check();
                attachment.requests().insist(CommandType.SHUTDOWN_INPUT, socket.sid, 0, socket.generation);
            }
        } catch (PdException e) {
            // The driver is gone, and with it the peer's way to write.
            return;
        } finally {
            control.unlock();
        }
    }

    /** Tells the driver that a socket is closed, once; its words are not used by any thread any more. */
    void close(SocketCore socket, boolean abort) {
        control.lock();
        try {
            if (!attachment.unregister(socket)) {
                return;
            }
            socket.releaseRings();
            attachment.link().check();
            attachment.requests().insist(CommandType.CLOSE, socket.sid, abort ? 1 : 0, socket.generation);
            housekeeping();
        } catch (PdException e) {
            // The driver is gone, and has closed the socket in its own way.
            attachment.sendMemory().reclaim();
        } finally {
            control.unlock();
        }
    }

    long sendMemoryInUse() {
        control.lock();
        try {
            housekeeping();
            return attachment.sendMemory().bytesInUse();
        } finally {
            control.unlock();
        }
    }

    private void housekeeping() {
        attachment.events().drain();
        attachment.sendMemory().reclaim();
    }

    private static InetSocketAddress resolved(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address: " + address);
        }
        return address;
    }
}
