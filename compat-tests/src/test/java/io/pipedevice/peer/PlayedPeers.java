// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections whose two ends are in this process, over memory of the real layout, which cost microseconds. Slots go round:
 * there are more of them than jcstress has states at a time.
 */
final class PlayedPeers {
    private static final int LINKS = 2;
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final Link[][] PAIRS = new Link[LINKS][2];
    private static final AtomicInteger CONNECTIONS = new AtomicInteger();

    /** The arm word with which the calling thread last rang; 0 if it did not. */
    private static final ThreadLocal<long[]> RUNG = ThreadLocal.withInitial(() -> new long[1]);

    static {
        for (Link[] pair : PAIRS) {
            LinkMemory one = new LinkMemory(Arena.global().allocate(LinkMemoryDescriptor.LENGTH, 4096));
            LinkMemory other = new LinkMemory(Arena.global().allocate(LinkMemoryDescriptor.LENGTH, 4096));
            pair[0] = new Link(one, other);
            pair[1] = new Link(other, one);
        }
    }

    private PlayedPeers() {}

    /** A connection whose rings are as small as can be. */
    static final class Connected {
        /** The peer's end, which reads or writes. */
        final PeerSocket peer;

        /** The end that waits. */
        final PeerSocket waiting;

        private final ByteBuffer bytes = ByteBuffer.allocate(LinkMemoryDescriptor.BASE_RING_LENGTH);

        private Connected(int number) {
            Link[] pair = PAIRS[number % LINKS];
            int slot = number / LINKS % LinkMemoryDescriptor.MAX_CONNECTIONS;
            int generation = number / LINKS / LinkMemoryDescriptor.MAX_CONNECTIONS + 1;
            pair[0].open(slot, generation);
            pair[1].open(slot, generation);
            peer = new PeerSocket(pair[0], slot, generation, ADDRESS, ADDRESS);
            waiting = new PeerSocket(pair[1], slot, generation, ADDRESS, ADDRESS);
        }

        /** The peer writes a byte; the arm word with which it rang, or 0. */
        long write() {
            bytes.position(0).limit(1);
            return peerDoes(() -> peer.write(bytes));
        }

        /** The peer reads all there is; the arm word with which it rang, or 0. */
        long read() {
            bytes.clear();
            return peerDoes(() -> peer.read(bytes));
        }

        /** The waiting end writes until nothing fits. */
        void fill() {
            peerDoes(() -> waiting.write(bytes.clear()));
            peerDoes(() -> waiting.write(bytes.clear()));
            if (bytes.position() != 0 || waiting.readiness(PdEpoll.OUT) != 0) {
                throw new AssertionError("the ring is not full");
            }
        }

        /** Arms for data, and looks once more. */
        boolean arm(Watcher watcher) {
            try {
                waiting.watchers.arm(PdEpoll.IN, watcher);
            } catch (PdException e) {
                throw new UncheckedIOException(e);
            }
            VarHandle.fullFence();
            return waiting.readiness(PdEpoll.IN) != 0;
        }

        private static long peerDoes(Call call) {
            long[] rung = RUNG.get();
            rung[0] = PeerArmWord.DISARMED;
            try {
                call.run();
            } catch (PdException e) {
                throw new UncheckedIOException(e);
            }
            return rung[0];
        }

        /** What the waiting end has armed with. */
        long armWord(int offset) {
            int slot = LinkMemoryDescriptor.slot(waiting.slot());
            return waiting.link().own().getAcquire(slot + offset);
        }
    }

    private interface Call {
        void run() throws PdException;
    }

    static Connected connect() {
        return new Connected(CONNECTIONS.getAndIncrement() & Integer.MAX_VALUE);
    }

    /** One side. Who rings is told that it did, and nobody is woken. */
    private static final class Link implements RingLink {
        private final LinkMemory own;
        private final LinkMemory peer;

        Link(LinkMemory own, LinkMemory peer) {
            this.own = own;
            this.peer = peer;
        }

        void open(int number, int generation) {
            int slot = LinkMemoryDescriptor.slot(number);
            own.setRelease(slot + LinkMemoryDescriptor.TAIL_OFFSET, 0);
            own.setRelease(slot + LinkMemoryDescriptor.RING_OFFSET, 12);
            own.setRelease(slot + LinkMemoryDescriptor.SWITCH_OFFSET, 0);
            own.setRelease(slot + LinkMemoryDescriptor.HEAD_OFFSET, 0);
            own.setRelease(slot + LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.DISARMED);
            own.setRelease(slot + LinkMemoryDescriptor.WRITE_ARM_OFFSET, PeerArmWord.DISARMED);
            own.setRelease(
                    slot + LinkMemoryDescriptor.STATE_OFFSET,
                    LinkMemoryDescriptor.state(generation, LinkMemoryDescriptor.OPEN));
        }

        @Override
        public LinkMemory own() {
            return own;
        }

        @Override
        public LinkMemory peer() {
            return peer;
        }

        @Override
        public int numberOf(Bell bell) {
            try {
                return Dispatcher.bell().equals(bell) ? PeerArmWord.DISPATCHER : PeerArmWord.DISPATCHER + 1;
            } catch (PdException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void ring(long armWord) {
            RUNG.get()[0] = armWord;
        }

        @Override
        public SendRing takeRing(int size) {
            return null;
        }

        @Override
        public void giveRing(SendRing ring) {
            throw new AssertionError("it has none");
        }

        @Override
        public ByteBuffer peerRing(int number, int size) {
            throw new AssertionError("it has none");
        }

        @Override
        public PeerRing holdRing(int number, int size) {
            throw new AssertionError("it has none");
        }

        @Override
        public void letGo(PeerRing ring) {
            throw new AssertionError("it has none");
        }

        @Override
        public void forgetRings() {
            throw new AssertionError("it has none");
        }

        @Override
        public boolean isBroken() {
            return false;
        }

        @Override
        public String whyGivenUp() {
            return null;
        }

        @Override
        public void suspect(String how) {
            throw new AssertionError(how);
        }

        @Override
        public void closed(PeerSocket socket) {
            throw new AssertionError("they stay open");
        }
    }
}
