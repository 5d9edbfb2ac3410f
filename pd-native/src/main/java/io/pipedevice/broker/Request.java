// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.net.InetSocketAddress;

/** The content of an {@link IntroductionMessage} to the driver. */
final class Request {
    /** The number of the request, by which its answer is known. */
    final int id;

    private final int type;
    private final int listener;
    private final int value;
    private final long argument;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;

    /** The meaning of value and argument depends on the type. */
    private Request(
            int type, int id, int listener, int value, long argument, InetSocketAddress local, InetSocketAddress peer) {
        this.type = type;
        this.id = id;
        this.listener = listener;
        this.value = value;
        this.argument = argument;
        this.local = local;
        this.peer = peer;
    }

    private static Request of(int type, int id) {
        return of(type, id, 0, 0, 0);
    }

    private static Request of(int type, int id, int listener, int value, long argument) {
        return new Request(type, id, listener, value, argument, null, null);
    }

    static Request join(int id) {
        return of(IntroductionMessage.JOIN, id);
    }

    /** Passes the memory of permits. */
    static Request permits(int id, long size) {
        return of(IntroductionMessage.PERMITS, id, 0, 0, size);
    }

    /** A listener at an address. */
    static Request listens(int id, int listener, InetSocketAddress at) {
        return new Request(IntroductionMessage.LISTENS, id, listener, 1, 0, at, null);
    }

    static Request listensNoMore(int id, int listener) {
        return of(IntroductionMessage.LISTENS, id, listener, 0, 0);
    }

    /** The socket of a listener: the number of its descriptor, and its inode. */
    static Request serves(int id, int listener, int descriptor, long inode) {
        return of(IntroductionMessage.SERVES, id, listener, descriptor, inode);
    }

    /** The listening socket of an attachment that gets a listener's connections through the device. */
    static Request offers(int id, int listener, int attachment, int socket) {
        return of(IntroductionMessage.OFFERS, id, listener, attachment, socket);
    }

    /** A connection from a port of this process will be made. */
    static Request intend(int id, int port) {
        return of(IntroductionMessage.INTEND, id, 0, port, 0);
    }

    /** The connection of an intent stands; the permit is one to read its socket. */
    static Request connected(int id, ReadPermit permit, InetSocketAddress from, InetSocketAddress to) {
        return new Request(IntroductionMessage.CONNECTED, id, 0, 0, permit.slot, from, to);
    }

    /** A connection from a client's port was accepted; the permit is one to read its socket. */
    static Request accepted(int id, int listener, int clientPort, ReadPermit permit) {
        return of(IntroductionMessage.ACCEPTED, id, listener, clientPort, permit.slot);
    }

    /** Takes the request with this number back. */
    static Request withdraw(int id) {
        return of(IntroductionMessage.WITHDRAW, id);
    }

    /** The connection of an intent goes on directly. */
    static Request made(int id) {
        return of(IntroductionMessage.MADE, id);
    }

    /** A link with a listener of another process. */
    static Request link(int id, ProcessKey server, int listener, boolean near) {
        int type = near ? IntroductionMessage.LINK_NEIGHBOUR : IntroductionMessage.LINK;
        return of(type, id, listener, server.pid(), server.startTime());
    }

    /** Asks for the listener that has a socket of this network namespace. */
    static Request find(int id, long inode, InetSocketAddress to) {
        return new Request(IntroductionMessage.FIND, id, 0, 0, inode, to, null);
    }

    /** Shows a link, by the inode of the other side's memory. */
    static Request shows(int id, boolean isNew, long peerMemory) {
        return of(IntroductionMessage.SHOWS, id, 0, isNew ? 1 : 0, peerMemory);
    }

    /** A link has ended, by the inode of this side's memory. */
    static Request hides(int id, long memory) {
        return of(IntroductionMessage.HIDES, id, 0, 0, memory);
    }

    void write(ControlMessage message) {
        message.request(type, id)
                .socketId(listener)
                .value(value)
                .argument(argument)
                .localAddress(local)
                .peerAddress(peer);
    }
}
