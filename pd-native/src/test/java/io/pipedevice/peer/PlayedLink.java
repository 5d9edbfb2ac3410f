// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.UnixSocket;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.CopyOnWriteArrayList;

/** A link whose peer is played by this process. */
final class PlayedLink implements RingLink {
    /** The words of a few sources lie behind the header. */
    private final WakeUpCost wakeUpCost = new WakeUpCost();

    private static final int LENGTH = LinkMemoryDescriptor.HEADER_LENGTH;

    private final CopyOnWriteArrayList<Bell> bells = new CopyOnWriteArrayList<>();
    private final LinkMemory own = new LinkMemory(Arena.ofAuto().allocate(LENGTH, 64));
    private final LinkMemory peer = new LinkMemory(Arena.ofAuto().allocate(LENGTH, 64));

    /** How many bells the peer can be told of. */
    volatile int mostBells = PeerArmWord.MAX_BELLS;

    volatile boolean broken;

    /** How often the peer rang. */
    volatile int rings;

    @Override
    public LinkMemory own() {
        return own;
    }

    @Override
    public LinkMemory peer() {
        return peer;
    }

    @Override
    public synchronized int numberOf(Bell bell) {
        int number = bells.indexOf(bell);
        if (number >= 0) {
            return number;
        }
        if (bells.size() >= mostBells) {
            return NO_BELL;
        }
        bells.add(bell);
        return bells.size() - 1;
    }

    /** The other way round than in a real link: the peer rings this process's bell. */
    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    public synchronized void ring(long armWord) {
        rings++;
        UnixSocket end = bells.get(PeerArmWord.bell(armWord)).ringingEnd();
        int cookie = PeerArmWord.cookie(armWord);
        if (end.ring(cookie) == UnixSocket.Rung.FULL) {
            long overflows = peer.getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET);
            peer.setRelease(LinkMemoryDescriptor.OVERFLOW_OFFSET, overflows + 1);
            VarHandle.fullFence();
            end.ring(cookie);
        }
    }

    /** What the peer knows by a number. */
    Bell bell(int number) {
        return bells.get(number);
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
    public int shortage() {
        return 0;
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
    public void giveUp(String why) {
        throw new AssertionError(why);
    }

    @Override
    public WakeUpCost wakeUpCost() {
        return wakeUpCost;
    }

    @Override
    public boolean isBroken() {
        return broken;
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
        throw new AssertionError("it has none");
    }
}
