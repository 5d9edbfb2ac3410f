// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

final class IntroductionMessageTest {
    private final ControlMessage message = new ControlMessage();
    private final IntroductionMessage introduction = new IntroductionMessage(message);

    @Test
    void thePartsAreWhereTheDriverPutsThem() {
        ByteBuffer bytes = message.memory().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(16, 3).putInt(20, 4711).putLong(40, 1L << 40);
        assertEquals(3, introduction.listener());
        assertEquals(4711, introduction.process());
        assertEquals(1L << 40, introduction.startTime());
        assertEquals(1L << 40, introduction.ticket());
        assertEquals(1L << 40, introduction.rate());
        assertEquals(1L << 40, introduction.linkMemory());
        assertEquals(1L << 40, introduction.permitsSize());
    }

    @Test
    void aProcessOrTheDeviceOrAStatusIsTheAnswer() {
        message.request(IntroductionMessage.CONNECTED, 1).value(4711);
        assertFalse(introduction.isThroughDevice());
        message.answer();
        assertTrue(introduction.isThroughDevice());
        message.fail(13, "refused\n");
        assertFalse(introduction.isThroughDevice());
        assertEquals(13, introduction.status());
        assertEquals("refused?", introduction.text());
    }

    @Test
    void rulingsAreFixedIfTheAnswerSaysSo() {
        message.request(IntroductionMessage.JOIN, 1);
        assertFalse(introduction.isFixed());
        assertTrue(new IntroductionMessage(message.value(IntroductionMessage.FIXED)).isFixed());
    }

    @Test
    void theClientIsThePeer() {
        InetSocketAddress address = new InetSocketAddress(Literals.address("127.0.0.2"), 2);
        message.request(IntroductionMessage.ACCEPTED, 1).peerAddress(address);
        assertEquals(address, introduction.client());
    }
}
