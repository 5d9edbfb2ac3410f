// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.SlotSetup;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.wait.PlayedWaits;
import io.pipedevice.peer.wait.PlayedWatcher;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections with both ends in this process, over memory of the real layout. They cost microseconds. Slots are reused
 * cyclically; there are more of them than jcstress has states at a time.
 */
public final class PlayedPeers {
    private static final int LINKS = 2;

    /** Size of the smallest ring of blocks. */
    private static final int BLOCKS = 64 << 10;

    /** The memory of all rings of blocks; tests always write the same data there. */
    private static final ByteBuffer BLOCK_RING = ByteBuffer.allocateDirect(LinkMemoryDescriptor.blockRing(BLOCKS));

    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final LinkMemory[][] PAIRS = new LinkMemory[LINKS][2];
    private static final AtomicInteger CONNECTIONS = new AtomicInteger();
    private static final VarHandle GROWTH = field(PeerSocket.class, "growth", RingGrowth.class);
    private static final VarHandle LEAVING = field(RingGrowth.class, "leaving", boolean.class);

    static {
        for (LinkMemory[] pair : PAIRS) {
            for (int side = 0; side < pair.length; side++) {
                pair[side] = new LinkMemory(Arena.global().allocate(LinkMemoryDescriptor.LENGTH, 4096));
            }
        }
    }

    private PlayedPeers() {}

    private static VarHandle field(Class<?> of, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(of, MethodHandles.lookup()).findVarHandle(of, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    /** The link that carries a connection. */
    public static RingLink linkOf(PeerSocket socket) {
        return socket.link();
    }

    /** A connection. */
    public static final class Connected {
        /** The peer's end, which reads or writes. */
        public final PeerSocket peer;

        /** The end that waits. */
        public final PeerSocket waiting;

        private final ByteBuffer bytes = ByteBuffer.allocate(LinkMemoryDescriptor.BASE_RING_LENGTH);

        private final PlayedSide peerSide;
        private final LinkMemory memory;
        private final int slot;
        private final int generation;

        /** Creates a connection that the peer has not accepted yet; its slot has the words of the previous one. */
        private Connected(int number, ByteBuffer larger, RingLimits limits) {
            LinkMemory[] pair = PAIRS[number % LINKS];
            memory = pair[0];
            slot = number / LINKS % LinkMemoryDescriptor.MAX_CONNECTIONS;
            generation = 2 * (number / LINKS / LinkMemoryDescriptor.MAX_CONNECTIONS + 1);
            SlotSetup.open(pair[1], slot, generation);
            peerSide = new PlayedSide(pair[0], pair[1], larger);
            peer = new PeerSocket(peerSide, slot, generation, ADDRESS, ADDRESS, limits);
            waiting = new PeerSocket(
                    new PlayedSide(pair[1], pair[0], larger), slot, generation, ADDRESS, ADDRESS, limits);
            leaveTraces();
        }

        private void leaveTraces() {
            int offset = LinkMemoryDescriptor.slot(slot);
            memory.setRelease(
                    offset + LinkMemoryDescriptor.STATE_OFFSET,
                    LinkMemoryDescriptor.state(generation - 1, LinkMemoryDescriptor.CLOSED));
            memory.setRelease(offset + LinkMemoryDescriptor.TAIL_OFFSET, 3000);
            memory.setRelease(offset + LinkMemoryDescriptor.HEAD_OFFSET, 2000);
        }

        /** Accepts at the peer. */
        public void accept() {
            SlotSetup.open(memory, slot, generation);
        }

        /** Writes a byte at the peer; returns the arm word with which it rang, or 0. */
        public long write() {
            bytes.position(0).limit(1);
            return peerDoes(() -> peer.write(bytes));
        }

        /** Reads everything at the peer; returns the arm word with which it rang, or 0. */
        public long read() {
            bytes.clear();
            return peerDoes(() -> peer.read(bytes));
        }

        /** Writes at the waiting end until nothing fits. */
        public void fill() {
            peerDoes(() -> waiting.write(bytes.clear()));
            peerDoes(() -> waiting.write(bytes.clear()));
            if (bytes.position() != 0 || waiting.readiness(PdEpoll.OUT) != 0) {
                throw new AssertionError("the ring is not full");
            }
        }

        /** Arms for data, and checks once more. */
        public boolean arm(PlayedWatcher watcher) {
            try {
                PlayedWaits.arm(waiting, PdEpoll.IN, watcher);
            } catch (PdException e) {
                throw new UncheckedIOException(e);
            }
            VarHandle.fullFence();
            return waiting.readiness(PdEpoll.IN) != 0;
        }

        /**
         * Makes the peer leave its larger ring at its next write, if it may, as if it had not needed that ring for a
         * long time.
         */
        void letPeerLeaveItsRing() {
            if (!peerSide.gaveRing()) {
                LEAVING.set(GROWTH.get(peer), true);
            }
        }

        /** Lets the sweeper check whether the peer needs its wide ring. */
        boolean sweepPeer() {
            return ((RingGrowth) GROWTH.get(peer)).leaveIfIdle();
        }

        /** Sends a byte of a block that takes all of its ring, and frees the block; at the waiting end. */
        void sendBlock() {
            PdBuffer block = takeBlock();
            try {
                waiting.send(block, 0, 1);
            } catch (PdException e) {
                throw new UncheckedIOException(e);
            }
            waiting.free(block);
        }

        /** Takes a block that is as large as its ring; at the waiting end. */
        PdBuffer takeBlock() {
            PdBuffer block = new PdBuffer();
            if (!malloc(BLOCKS, block)) {
                throw new AssertionError("the ring is empty");
            }
            return block;
        }

        /** Takes a small block if there is room; at the waiting end. */
        boolean mallocSmall() {
            return malloc(1, new PdBuffer());
        }

        private boolean malloc(int length, PdBuffer into) {
            try {
                return waiting.malloc(length, into);
            } catch (PdException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Ends the stream at the peer, in one of two ways; returns the arm word with which it rang, or 0. */
        public long end() {
            return peerDoes(slot % 2 == 0 ? peer::close : peer::shutdownOutput);
        }

        private static long peerDoes(Call call) {
            PlayedSide.rung();
            try {
                call.run();
            } catch (PdException e) {
                throw new UncheckedIOException(e);
            }
            return PlayedSide.rung();
        }

        /** The arm word of the waiting end. */
        public long armWord(int offset) {
            return waiting.link().own().getAcquire(LinkMemoryDescriptor.slot(slot) + offset);
        }
    }

    private interface Call {
        void run() throws PdException;
    }

    /** A connection that both sides have joined, whose rings do not grow. */
    public static Connected connect() {
        return accepted(connectOnly());
    }

    /** A connection whose rings may grow to a size, and further if their reader does not read. */
    static Connected connectGrowing(int largerRing) {
        return accepted(new Connected(
                nextNumber(), ByteBuffer.allocate(largerRing), new RingLimits(largerRing, 2 * largerRing)));
    }

    /** A connection whose rings may grow once, to a size, if their reader does not read. */
    static Connected connectWidening(int wideRing) {
        return accepted(new Connected(
                nextNumber(),
                ByteBuffer.allocate(wideRing),
                new RingLimits(LinkMemoryDescriptor.BASE_RING_LENGTH, wideRing)));
    }

    /** A connection whose waiting end may send blocks. */
    static Connected connectForBlocks() {
        return accepted(new Connected(nextNumber(), BLOCK_RING, RingLimits.of(BLOCKS)));
    }

    /** A connection that the peer has not accepted, whose rings do not grow. */
    public static Connected connectOnly() {
        return new Connected(nextNumber(), null, RingLimits.of(LinkMemoryDescriptor.BASE_RING_LENGTH));
    }

    private static Connected accepted(Connected connection) {
        connection.accept();
        return connection;
    }

    private static int nextNumber() {
        return CONNECTIONS.getAndIncrement() & Integer.MAX_VALUE;
    }
}
