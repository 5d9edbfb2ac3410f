// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.test.Leaks;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages on a link, and descriptors with them, that no honest peer sends. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class StrangeMessageTest extends StrangeConnection {
    /** Makes the other side read its messages. */
    private void makeItRead() throws PdException {
        raw.word(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(1000, raw.count++, 1));
        write(in);
    }

    @Test
    void messagesThatAreCutShortEndTheLink() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            raw.socket.send(arena.allocate(LinkMessageDescriptor.LENGTH - 1), 0, LinkMessageDescriptor.LENGTH - 1);
        }
        makeItRead();
        assertGivenUp("a message of 31 bytes that is invalid");
    }

    @Test
    void messagesThatAreTooLongEndTheLink() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            raw.socket.send(arena.allocate(LinkMessageDescriptor.LENGTH + 1), 0, LinkMessageDescriptor.LENGTH + 1);
        }
        makeItRead();
        assertGivenUp("longer than the 32 bytes");
    }

    @Test
    void messagesOfTheHandshakeEndTheLink() throws Exception {
        raw.introduce(LinkMessageDescriptor.HELLO);
        makeItRead();
        assertGivenUp("is invalid");
    }

    @Test
    void aBellOfAnotherKindEndsTheLink() throws Exception {
        Fd event = keep(EventFd.open()).fd();
        raw.say(LinkMessageDescriptor.BELL, 1, 0, event);
        makeItRead();
        assertGivenUp("is invalid");
    }

    @Test
    void moreDescriptorsThanAMessageHasEndTheLink() throws Exception {
        Fd event = keep(EventFd.open()).fd();
        raw.say(LinkMessageDescriptor.BELL, 1, 0, event, event, event, event);
        makeItRead();
        assertGivenUp("is invalid");
    }

    @Test
    void memoryThatCanShrinkFailsOnlyTheConnectionThatUsesIt() throws Exception {
        Fd open = keep(Memory.memfd("pd-open", Memory.PageSize.NORMAL));
        Memory.resize(open, RING);
        raw.say(LinkMessageDescriptor.RING, 1, RING, open);
        raw.word(SLOT, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(1, 16, 1));
        raw.tail(SLOT, 1);
        PdException e = assertThrows(PdException.class, () -> read(in));
        assertTrue(e.getMessage().contains("not sealed"), e.getMessage());
        assertFalse(StreamProbe.link(in).isBroken());
    }

    @Test
    void memoryThatIsTooSmallFailsOnlyTheConnectionThatUsesIt() throws Exception {
        Fd small = keep(SharedRegion.create("pd-small", RING / 2, false)).fd();
        raw.say(LinkMessageDescriptor.RING, 1, RING, small);
        raw.word(SLOT, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(1, 16, 1));
        raw.tail(SLOT, 1);
        assertThrows(PdException.class, () -> read(in));
        assertFalse(StreamProbe.link(in).isBroken());
    }

    @Test
    void theMemoryOfALinkCannotBeShrunk() throws Exception {
        assertEquals(
                Errno.EPERM,
                assertThrows(LinuxException.class, () -> Memory.resize(raw.own.fd(), 4096))
                        .errno());
    }

    @Test
    void ringsThatNobodyReadsTakeNoMemoryAndNoMoreDescriptorsOrMappingsThanConnectionsNeed() throws Exception {
        makeItRead();
        long before = Leaks.mappings() + Leaks.settledDescriptors();
        int announced = 0;
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 50; i++) {
                SharedRegion ring = keep(SharedRegion.create("pd-ring", RING, false));
                ring.allocate(0, RING);
                assertTrue(raw.say(LinkMessageDescriptor.RING, ++announced, RING, ring.fd()));
                mine.removeLast().close();
            }
            makeItRead();
        }
        assertFalse(StreamProbe.link(in).isBroken());
        // Other threads close the rings that are given up.
        await().untilAsserted(() -> {
            long held = Leaks.mappings() + Leaks.descriptors() - before;
            assertTrue(held > 50 && held < 300, held + " mappings and descriptors");
        });
        assertEquals(0, Leaks.resident("pd-ring"));
    }

    @Test
    void moreRingsThanThereCanBeEndTheLink() throws Exception {
        Fd event = keep(EventFd.open()).fd();
        int announced = 0;
        while (!StreamProbe.link(in).isBroken()) {
            assertTrue(announced < 200_000, "no end");
            while (!StreamProbe.link(in).isBroken()
                    && raw.say(LinkMessageDescriptor.RING, announced + 1, RING, event)) {
                announced++;
            }
            if (!StreamProbe.link(in).isBroken()) {
                makeItRead();
            }
        }
        assertGivenUp("ring");
    }

    @Test
    void bellsThatAreAnnouncedRepeatedlyTakeNoMoreDescriptorsThanThereAreNumbers() throws Exception {
        // Count the descriptors that the link opens at its first use as there before.
        makeItRead();
        int before = Leaks.settledDescriptors();
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < 50; i++) {
                assertTrue(raw.say(LinkMessageDescriptor.BELL, 1 + i, 0, raw.bell[1].fd()));
            }
            makeItRead();
            // Wait, because a link with too many pending closings is given up.
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> Leaks.descriptors() <= before + 2 * 50);
        }
        assertFalse(StreamProbe.link(in).isBroken());
        await().untilAsserted(() -> assertEquals(before + 50, Leaks.descriptors()));
    }

    @Test
    void aFloodOfMessagesBlocksNoOtherLink() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> {
            LinkMessage message = new LinkMessage(new Disposal());
            while (!stop.get() && !StreamProbe.link(in).isBroken()) {
                try {
                    message.send(raw.socket, LinkMessageDescriptor.BELL, 1, 0, raw.bell[1].fd());
                } catch (LinuxException e) {
                    // The other side has shut the link down.
                    return;
                }
            }
        });
        try {
            for (int i = 0; i < 500 && StreamProbe.link(in).whyGivenUp() == null; i++) {
                makeItRead();
                assertOthersAreServed();
            }
        } catch (PdException e) {
            assertNotNull(StreamProbe.link(in).whyGivenUp(), e::getMessage);
        } finally {
            stop.set(true);
            flood.join();
        }
        String why = StreamProbe.link(in).whyGivenUp();
        assertTrue(why == null || why.contains("flood"), why);
    }
}
