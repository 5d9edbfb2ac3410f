// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.lang.foreign.Arena;

/** A client with one connection that breaks the protocol on command, for tests of other modules. */
public final class StrangeClient implements AutoCloseable {
    private static final int SLOT = 0;
    private static final int GENERATION = 1;
    private static final int UNKNOWN_BELL = 1000;

    private final RawPeer raw;

    private StrangeClient(RawPeer raw) {
        this.raw = raw;
    }

    /** Connects to a listener of 127.0.0.1. */
    public static StrangeClient connect(int port) throws IOException {
        RawPeer raw = RawPeer.meet(TestAddresses.loopback(port));
        raw.connect(SLOT, GENERATION, TestAddresses.loopback(1), TestAddresses.loopback(port));
        return new StrangeClient(raw);
    }

    /** Claims that it has written more than its ring holds. */
    public void writeTooMuch() throws IOException {
        raw.tail(SLOT, LinkMemoryDescriptor.BASE_RING_LENGTH + 1);
    }

    /** Sends bytes that are not a message, and makes the other side read them at its next write. */
    public void sendNonsense() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            raw.socket.send(arena.allocate(1), 0, 1);
        }
        raw.word(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(UNKNOWN_BELL, 1, 1));
    }

    /** Writes any values into all words of its slot, and rings for both directions. */
    public void overwriteSlot() throws IOException {
        int slot = LinkMemoryDescriptor.slot(SLOT);
        for (int at = 0; at <= LinkMemoryDescriptor.WRITE_ARM_OFFSET; at += Long.BYTES) {
            raw.memory.setRelease(slot + at, 0x5A5A_5A5A_5A5A_5A5AL + at);
        }
        raw.sayState(SLOT, GENERATION, LinkMemoryDescriptor.OPEN);
    }

    /** Writes a HEAD beyond what it was sent, and rings for the writer. */
    public void readTooMuch() throws IOException {
        raw.word(SLOT, LinkMemoryDescriptor.HEAD_OFFSET, Long.MAX_VALUE);
        raw.sayState(SLOT, GENERATION, LinkMemoryDescriptor.OPEN);
    }

    /** Ends the link's socket, as the kernel does when a process dies. The connection is not closed. */
    public void hangUp() throws IOException {
        raw.socket.shutdown(true, true);
    }

    @Override
    public void close() throws PdException {
        raw.close();
    }
}
