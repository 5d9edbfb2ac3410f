// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Processor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.wait.BlockingWait;
import io.pipedevice.wait.SpinPolicy;
import io.pipedevice.wait.ThreadBell;

/**
 * A blocking wait for one direction of a source whose peers ring ({@link PeerArmWord}). For a parked thread the
 * dispatcher receives the rings.
 */
public final class PeerWait extends BlockingWait<ThreadBell> implements Watcher {
    private static final int LOOKS_PER_CLOCK = 16;

    private final PeerSource source;
    private final int direction;

    /** The bell in the peer's memory; null until the peer has joined. Belongs to the waiting thread. */
    private SlotBell inSlot;

    /**
     * Creates a wait with the spin mode of the process.
     *
     * @param source to wait for
     * @param direction {@link io.pipedevice.lib.PdEpoll#IN} or OUT
     */
    public PeerWait(PeerSource source, int direction) {
        this(source, direction, SpinMode.inUse());
    }

    PeerWait(PeerSource source, int direction, SpinMode mode) {
        super(source, direction, SpinPolicy.byCost(mode, source::wakeUpNanos), LOOKS_PER_CLOCK);
        this.source = source;
        this.direction = direction;
    }

    @Override
    public boolean sharesProcessor() {
        return source.sharesProcessor(Processor.current());
    }

    @Override
    protected boolean arm() throws PdException {
        if (bell() instanceof SlotBell slot) {
            slot.prepare();
        }
        return source.watchers.arm(direction, this);
    }

    @Override
    protected void disarm() {
        source.watchers.disarm(direction, this);
    }

    @Override
    protected ThreadBell takeBell() {
        if (Thread.currentThread().isVirtual()) {
            return null;
        }
        if (inSlot == null) {
            inSlot = source.slotBell(direction);
        }
        return inSlot == null ? BellPool.takeForThread() : inSlot;
    }

    @Override
    protected void giveBell(ThreadBell borrowed) {
        if (borrowed instanceof Bell bell) {
            BellPool.give(bell);
        } else if (borrowed instanceof SlotBell slot) {
            slot.rest();
        }
    }

    @Override
    protected void discardBell(ThreadBell ended) {
        if (ended instanceof Bell bell) {
            BellPool.discard(bell);
        }
    }

    @Override
    protected void woken(long asleepSince, long now) {
        source.woken(asleepSince, now);
    }

    /** No cookie is needed: the bell serves only this wait. */
    @Override
    public int cookie() {
        return 0;
    }

    @Override
    public boolean isGone() {
        return false;
    }
}
