// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.jdk.Literals;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.IntroductionMessage;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

final class RequestTest {
    private static final int ID = 7;
    private static final InetSocketAddress HERE = new InetSocketAddress(Literals.address("127.0.0.1"), 1);

    private final ControlMessage message = new ControlMessage();

    private void assertWrites(Request request, int type, int listener, int value, long argument) {
        request.write(message);
        assertEquals(type, message.type());
        assertEquals(ID, message.requestId());
        assertEquals(listener, message.socketId());
        assertEquals(value, message.value());
        assertEquals(argument, message.argument());
    }

    @Test
    void eachPartIsWhereTheDriverReadsIt() {
        ProcessKey server = new ProcessKey(4711, 1L << 40);
        assertWrites(Request.join(ID), IntroductionMessage.JOIN, 0, 0, 0);
        assertWrites(Request.permits(ID, 4096), IntroductionMessage.PERMITS, 0, 0, 4096);
        assertWrites(Request.listens(ID, 3, HERE), IntroductionMessage.LISTENS, 3, 1, 0);
        assertEquals(HERE, message.localAddress());
        assertWrites(Request.listensNoMore(ID, 3), IntroductionMessage.LISTENS, 3, 0, 0);
        assertWrites(Request.serves(ID, 3, 5, 6), IntroductionMessage.SERVES, 3, 5, 6);
        assertWrites(Request.offers(ID, 3, 5, 6), IntroductionMessage.OFFERS, 3, 5, 6);
        assertWrites(Request.intend(ID, 80), IntroductionMessage.INTEND, 0, 80, 0);
        assertWrites(Request.withdraw(ID), IntroductionMessage.WITHDRAW, 0, 0, 0);
        assertWrites(Request.made(ID), IntroductionMessage.MADE, 0, 0, 0);
        assertWrites(Request.link(ID, server, 3, false), IntroductionMessage.LINK, 3, 4711, 1L << 40);
        assertWrites(Request.link(ID, server, 3, true), IntroductionMessage.LINK_NEIGHBOUR, 3, 4711, 1L << 40);
        assertWrites(Request.find(ID, 6, HERE), IntroductionMessage.FIND, 0, 0, 6);
        assertEquals(HERE, message.localAddress());
        assertWrites(Request.shows(ID, true, 6), IntroductionMessage.SHOWS, 0, 1, 6);
        assertWrites(Request.shows(ID, false, 6), IntroductionMessage.SHOWS, 0, 0, 6);
        assertWrites(Request.hides(ID, 6), IntroductionMessage.HIDES, 0, 0, 6);
    }

    @Test
    void aPermitIsNamedByItsSlot() {
        ReadPermit permit = new ReadPermit(null, 5, ID);
        InetSocketAddress there = new InetSocketAddress(HERE.getAddress(), 2);
        assertWrites(Request.connected(ID, permit, HERE, there), IntroductionMessage.CONNECTED, 0, 0, 5);
        assertEquals(HERE, message.localAddress());
        assertEquals(there, message.peerAddress());
        assertWrites(Request.accepted(ID, 3, 80, permit), IntroductionMessage.ACCEPTED, 3, 80, 5);
    }
}
