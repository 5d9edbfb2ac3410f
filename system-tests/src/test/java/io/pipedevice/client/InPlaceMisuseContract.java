// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Each misuse of an in-place call fails with the rule that it violates, and has no other effect. */
@Timeout(60)
abstract class InPlaceMisuseContract extends InPlaceFixture {
    InPlaceMisuseContract(Placement placement) {
        super(placement);
    }

    private static void assertRule(Class<? extends RuntimeException> type, String rule, Executable call) {
        RuntimeException e = assertThrows(type, call);
        assertTrue(e.getMessage().contains(rule), e.getMessage());
    }

    @Test
    void doubleFree() throws PdException {
        PdBuffer buffer = new PdBuffer();
        assertTrue(client.malloc(100, buffer));
        client.free(buffer);
        assertRule(IllegalStateException.class, "double free", () -> client.free(buffer));
    }

    @Test
    void freeOfNothing() {
        assertRule(IllegalStateException.class, "malloc comes first", () -> client.free(new PdBuffer()));
    }

    @Test
    void useOfAFreedBlock() throws PdException {
        PdBuffer buffer = new PdBuffer();
        assertTrue(client.malloc(100, buffer));
        client.free(buffer);
        assertRule(IllegalStateException.class, "freed block", () -> client.send(buffer, 100));
        assertRule(IllegalStateException.class, "freed block", () -> client.bufRefresh(buffer));
        assertRule(IllegalStateException.class, "freed block", buffer::memory);
        assertRule(IllegalStateException.class, "freed block", buffer::asByteBuffer);
        assertEquals(0, buffer.length());
    }

    @Test
    void handleThatHoldsABlock() throws PdException {
        PdBuffer buffer = new PdBuffer();
        assertTrue(client.malloc(100, buffer));
        assertRule(IllegalStateException.class, "free it first", () -> client.malloc(100, buffer));
        assertRule(IllegalStateException.class, "free it first", () -> client.recv(100, buffer));
        client.free(buffer);
        assertTrue(client.malloc(100, buffer));
    }

    @Test
    void foreignBlock() throws PdException {
        PdBuffer buffer = new PdBuffer();
        assertTrue(server.malloc(100, buffer));
        assertRule(IllegalArgumentException.class, "foreign buffer", () -> client.send(buffer, 100));
        assertRule(IllegalArgumentException.class, "foreign buffer", () -> client.free(buffer));
        assertRule(IllegalArgumentException.class, "foreign buffer", () -> client.bufRefresh(buffer));
    }

    @Test
    void receivedDataAreNotABlock() throws PdException {
        Bytes.send(server, "data");
        PdBuffer received = new PdBuffer();
        assertEquals(4, client.recv(100, received, Attached.PATIENCE_NS));
        assertRule(IllegalArgumentException.class, "received data", () -> client.send(received, 4));
        assertRule(IllegalArgumentException.class, "received data", () -> client.free(received));
        assertTrue(received.memory().isReadOnly());
        assertThrows(IllegalArgumentException.class, () -> received.copyFrom(0, new byte[4], 0, 4));
        assertTrue(received.asByteBuffer().isReadOnly());
    }

    @Test
    void recvDoneOfMoreThanWasReceived() throws PdException {
        assertRule(IllegalStateException.class, "recvDone", () -> client.recvDone(1));
        Bytes.send(server, "data");
        assertEquals(2, client.recv(2, new PdBuffer(), Attached.PATIENCE_NS));
        assertRule(IllegalStateException.class, "only 2 were received", () -> client.recvDone(3));
        assertRule(IllegalStateException.class, "recvDone", () -> client.recvDone(-1));
        client.recvDone(2);
        assertRule(IllegalStateException.class, "only 0 were received", () -> client.recvDone(1));
        assertEquals("ta", Bytes.receiveText(client, 2));
    }

    @Test
    void sizesOutOfRange() throws PdException {
        PdBuffer buffer = new PdBuffer();
        assertRule(IllegalArgumentException.class, "SO_SNDBUF", () -> client.malloc(RING + 1, buffer));
        assertRule(IllegalArgumentException.class, "SO_SNDBUF", () -> client.malloc(0, buffer));
        assertTrue(client.malloc(100, buffer));
        assertRule(IllegalArgumentException.class, "must lie inside", () -> client.send(buffer, 101));
        assertRule(IllegalArgumentException.class, "must lie inside", () -> client.send(buffer, 0));
        assertRule(IllegalArgumentException.class, "must lie inside", () -> client.send(buffer, -1, 10));
        assertRule(IllegalArgumentException.class, "must lie inside", () -> client.send(buffer, 1, 100));
        assertRule(
                IllegalArgumentException.class,
                "must lie inside",
                () -> client.send(buffer, Integer.MAX_VALUE, Integer.MAX_VALUE));
        assertRule(IllegalArgumentException.class, "recv", () -> client.recv(0, new PdBuffer()));
        assertRule(IllegalArgumentException.class, "FOREVER", () -> client.recv(1, new PdBuffer(), -1));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.copyFrom(99, new byte[2], 0, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> client.bufRefresh(new PdBuffer[1], 2));
    }

    @Test
    void sendAfterShutdown() throws PdException {
        PdBuffer buffer = new PdBuffer();
        assertTrue(client.malloc(1, buffer));
        client.shutdownOutput();
        assertRule(IllegalStateException.class, "shutdownOutput", () -> client.send(buffer, 1));
    }

    @Test
    void callsOnAClosedSocket() throws PdException {
        Bytes.send(server, "data");
        PdBuffer received = new PdBuffer();
        PdBuffer block = new PdBuffer();
        assertEquals(4, client.recv(100, received, Attached.PATIENCE_NS));
        assertTrue(client.malloc(100, block));
        MemorySegment memory = block.memory();
        client.close();
        client.close();
        assertFalse(client.isOpen());
        assertRule(IllegalStateException.class, "closed socket", () -> client.malloc(1, new PdBuffer()));
        assertRule(IllegalStateException.class, "closed socket", () -> client.send(block, 1));
        assertRule(IllegalStateException.class, "closed socket", () -> client.recv(1, new PdBuffer()));
        assertRule(IllegalStateException.class, "closed socket", () -> client.recv(1, new PdBuffer(), 1));
        assertRule(IllegalStateException.class, "closed socket", () -> client.recvDone(1));
        assertRule(IllegalStateException.class, "closed socket", () -> client.shutdownOutput());
        assertThrows(IllegalStateException.class, () -> memory.get(ValueLayout.JAVA_BYTE, 0));
        assertThrows(IllegalStateException.class, () -> received.memory().get(ValueLayout.JAVA_BYTE, 0));
        assertThrows(IllegalStateException.class, () -> received.copyTo(0, new byte[4], 0, 4));
        // The handle is free for another socket, although its block was never freed.
        assertTrue(server.malloc(100, block));
    }

    @Test
    void readWaitsForRecvDone() throws PdException {
        Bytes.send(client, "both");
        PdBuffer received = new PdBuffer();
        assertEquals(1, server.recv(1, received, Attached.PATIENCE_NS));
        assertRule(IllegalStateException.class, "recvDone comes first", () -> server.read(ByteBuffer.allocate(3)));
        server.recvDone(1);
        ByteBuffer target = ByteBuffer.allocate(3);
        assertEquals(3, server.read(target));
        assertEquals(ByteBuffer.wrap("oth".getBytes(StandardCharsets.US_ASCII)), target.flip());
    }

    @AfterEach
    void otherConnectionsAreIntact() throws IOException {
        reconnect();
        Bytes.send(client, "intact");
        assertEquals("intact", Bytes.receiveText(server, 6));
    }
}
