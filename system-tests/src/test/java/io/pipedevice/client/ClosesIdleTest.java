// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.protocol.ArmWord;
import io.pipedevice.protocol.LibPageDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets whose program closes them only when no thread is inside: what late threads of the library's own may do. */
@Timeout(60)
final class ClosesIdleTest {
    private Attached attached;

    @BeforeEach
    void attach() throws IOException {
        attached = new Attached(
                new DriverContext(), new PdOptions().growingRings(true).closesIdle(true));
    }

    @AfterEach
    void detach() {
        attached.close();
    }

    private static long word(SocketCore core, long offset) {
        return core.session.pages().own(core.sid).get(ValueLayout.JAVA_LONG, offset);
    }

    @Test
    void anEpollThatIsLateLeavesTheWordsOfTheNextSocketAlone() throws IOException {
        try (Attached.Pair pair = attached.pair();
                DriverEpoll epoll = (DriverEpoll) pair.client.epoll()) {
            SocketCore core = ((DriverSocket) pair.client).core();
            DriverEntry entry = new DriverEntry(core, pair.client, epoll, 0, PdEpoll.IN, null);
            core.epollEntries().add(entry);
            // Until there is no room, so that there is something to announce.
            int written;
            do {
                written = pair.client.write(ByteBuffer.allocate(1 << 16));
            } while (written > 0);
            pair.client.close();
            MemorySegment words = core.session.pages().own(core.sid);
            words.fill((byte) 0x55);
            core.epollEntries().arm(entry, ArmWord.IN | ArmWord.OUT);
            core.sender().announceWanted();
            core.epollEntries().remove(entry);
            assertEquals(0x5555555555555555L, word(core, LibPageDescriptor.EPOLL_ARM_OFFSET));
            assertEquals(0x5555555555555555L, word(core, LibPageDescriptor.WRITE_WANTED_OFFSET));
            words.fill((byte) 0);
        }
    }

    @Test
    void anEpollThatIsInTimeArms() throws IOException {
        try (Attached.Pair pair = attached.pair();
                DriverEpoll epoll = (DriverEpoll) pair.client.epoll()) {
            SocketCore core = ((DriverSocket) pair.client).core();
            DriverEntry entry = new DriverEntry(core, pair.client, epoll, 0, PdEpoll.IN, null);
            core.epollEntries().add(entry);
            core.epollEntries().arm(entry, ArmWord.IN);
            assertEquals(ArmWord.of(1, 0, ArmWord.IN), word(core, LibPageDescriptor.EPOLL_ARM_OFFSET));
            core.epollEntries().remove(entry);
            assertEquals(ArmWord.DISARMED, word(core, LibPageDescriptor.EPOLL_ARM_OFFSET));
        }
    }

    @Test
    void aLateCallAfterTheEndOfTheAttachmentFails() throws IOException {
        Attached.Pair pair = attached.pair();
        PdSocket late = pair.client;
        pair.close();
        attached.client.close();
        assertThrows(IllegalStateException.class, () -> late.read(ByteBuffer.allocate(1)));
        assertThrows(IllegalStateException.class, () -> late.write(ByteBuffer.allocate(1)));
        assertThrows(IllegalStateException.class, late::available);
    }
}
