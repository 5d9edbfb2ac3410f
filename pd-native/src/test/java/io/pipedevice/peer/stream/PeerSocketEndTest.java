// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the other end sees of a close, a reset, a shutdown and a death. */
@Timeout(60)
class PeerSocketEndTest extends ConnectedSockets {
    @Test
    void givesItsRingsBackWhenBothHaveClosed() throws PdException {
        accept();
        a.write(bytes(100_000));
        a.close();
        assertTrue(here.given.isEmpty());
        assertFalse(a.end().release());
        assertReads(bytes(100_000), b);
        assertEquals(PdSocket.END_OF_STREAM, b.read(ByteBuffer.allocate(1)));
        assertFalse(a.end().release());
        assertEquals(1, here.given.size());
        b.close();
        assertTrue(a.end().release());
    }

    @Test
    void endsAfterWhatWasWritten() throws PdException {
        accept();
        a.write(bytes(10));
        a.shutdownOutput();
        assertReads(bytes(10), b);
        assertEquals(PdSocket.END_OF_STREAM, b.read(ByteBuffer.allocate(1)));
        assertEquals(PdEpoll.IN, b.readiness(PdEpoll.IN));
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(1))).errno());
        assertEquals(3, b.write(bytes(3)));
        assertReads(bytes(3), a);
    }

    @Test
    void resetsAPeerWhoseDataItNeverRead() throws PdException {
        accept();
        a.write(bytes(10));
        b.close();
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.read(ByteBuffer.allocate(1)))
                        .errno());
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.write(bytes(1))).errno());
    }

    @Test
    void publishesAtTheCloseWhatItHasRead() throws PdException {
        accept();
        a.write(bytes(10));
        b.read(ByteBuffer.allocate(3));
        int head = LinkMemoryDescriptor.slot(SLOT) + LinkMemoryDescriptor.HEAD_OFFSET;
        assertEquals(0, there.own().getAcquire(head), "a few bytes are published later");
        b.close();
        assertEquals(3, there.own().getAcquire(head));
    }

    @Test
    void theSecondWriteToAClosedPeerFails() throws PdException {
        accept();
        b.close();
        assertEquals(PdSocket.END_OF_STREAM, a.read(ByteBuffer.allocate(1)));
        assertEquals(0, a.write(ByteBuffer.allocate(0)));
        assertEquals(5, a.write(bytes(5)));
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(5))).errno());
    }

    @Test
    void urgentDataAreNotRead() throws PdException {
        accept();
        a.offerUrgent((byte) 1);
        a.write(bytes(5));
        assertReads(bytes(5), b);
        b.close();
        a.offerUrgent((byte) 1);
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.offerUrgent((byte) 1)).errno());
    }

    @Test
    void urgentDataAreReadIfTheReaderWantsThemWhenItReads() throws PdException {
        a.write(bytes(2));
        a.offerUrgent((byte) 9);
        a.write(bytes(2));
        a.offerUrgent((byte) 8);
        accept();
        assertEquals(2, b.available(), "a read ends before urgent data");
        b.takeUrgent(true);
        assertEquals(5, b.available());
        ByteBuffer target = ByteBuffer.allocate(10);
        b.read(target);
        b.read(target);
        assertEquals(5, target.position(), "the second byte was dropped, because the first was unread");
        assertEquals(9, target.get(2));
        b.takeUrgent(false);
        for (int i = 0; i < 10_000; i++) {
            a.offerUrgent((byte) 7);
            assertEquals(0, b.read(target.clear()));
        }
        a.write(bytes(5));
        assertReads(bytes(5), b);
    }

    @Test
    void urgentDataThatTheReaderDoesNotWantMakeItNotReadable() throws PdException {
        accept();
        a.offerUrgent((byte) 9);
        assertEquals(0, b.readiness(PdEpoll.IN));
        b.takeUrgent(true);
        assertEquals(PdEpoll.IN, b.readiness(PdEpoll.IN));
        b.takeUrgent(false);
        a.shutdownOutput();
        assertEquals(PdSocket.END_OF_STREAM, b.read(ByteBuffer.allocate(1)));
    }

    @Test
    void announcesWhetherItWantsUrgentData() throws PdException {
        a.takeUrgent(true);
        accept();
        assertFalse(a.peerTakesUrgent());
        assertTrue(b.peerTakesUrgent());
        a.shutdownOutput();
        assertTrue(b.peerTakesUrgent());
        a.takeUrgent(false);
        assertFalse(b.peerTakesUrgent());
        assertEquals(PdSocket.END_OF_STREAM, b.read(ByteBuffer.allocate(1)), "the end of the stream stays");
        a.close();
        a.takeUrgent(true);
        assertFalse(b.peerTakesUrgent(), "the slot may be another connection's");
    }

    @Test
    void theSecondWriteToAPeerThatHasShutBothDirectionsFails() throws PdException {
        accept();
        b.shutdownInput();
        assertEquals(10, a.write(bytes(10)), "only reading is shut");
        assertEquals(10, a.write(bytes(10)));
        b.shutdownOutput();
        assertEquals(10, a.write(bytes(10)));
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
        assertEquals(PdSocket.END_OF_STREAM, a.read(ByteBuffer.allocate(1)));
    }

    @Test
    void readsTheEndWhereAResetFollowedIt() throws PdException {
        accept();
        b.shutdownOutput();
        assertEquals(10, a.write(bytes(10)));
        b.close();
        assertEquals(PdSocket.END_OF_STREAM, a.read(ByteBuffer.allocate(1)));
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
    }

    @Test
    void aResetOvertakesAnEndBehindWhatThePeerHasNoRoomFor() throws PdException {
        accept();
        fill(b);
        endUnread();
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
        assertReads(bytes(MAX_RING), a);
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.read(ByteBuffer.allocate(1)))
                        .errno());
    }

    @Test
    void theAnswerToAWriteOvertakesAnEndBehindWhatThereIsNoRoomFor() throws PdException {
        accept();
        // Make the ring full before it has grown to the size of the kernel's buffers.
        b.sendSize(64 << 10);
        ByteBuffer source = bytes(MAX_RING);
        while (b.write(source.limit(source.position() + (64 << 10))) > 0) {
            assertTrue(source.position() < 128 << 10);
        }
        b.shutdownInput();
        b.shutdownOutput();
        assertEquals(10, a.write(bytes(10)));
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
        assertReads(source.slice(0, source.position()), a);
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> a.read(ByteBuffer.allocate(1)))
                        .errno());
    }

    @Test
    void aResetComesAfterAnEndForWhichThePeerHadRoom() throws PdException {
        accept();
        fill(b);
        assertReads(bytes(MAX_RING), a);
        assertEquals(30_000, b.write(bytes(30_000)));
        endUnread();
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(bytes(10))).errno());
        assertReads(bytes(30_000), a);
        assertEquals(PdSocket.END_OF_STREAM, a.read(ByteBuffer.allocate(1)));
    }

    /** Fills the ring, which grows whenever it is full. */
    private static void fill(PeerSocket socket) throws PdException {
        ByteBuffer source = bytes(MAX_RING);
        while (source.hasRemaining()) {
            socket.write(source);
        }
    }

    /** Ends the stream to a, and then closes with something unread. */
    private void endUnread() throws PdException {
        assertEquals(10, a.write(bytes(10)));
        b.shutdownOutput();
        b.close();
    }

    @Test
    void readsWhatADeadPeerLeft() throws PdException {
        accept();
        a.write(bytes(10));
        b.write(bytes(1));
        there.broken = true;
        assertReads(bytes(10), b);
        assertEquals(
                Errno.ECONNRESET,
                assertThrows(PdException.class, () -> b.read(ByteBuffer.allocate(1)))
                        .errno());
    }
}
