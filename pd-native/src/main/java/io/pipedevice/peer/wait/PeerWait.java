// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Processor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.wait.BlockingWait;
import io.pipedevice.wait.SpinPolicy;

/**
 * A blocking wait for one direction of a source whose peers ring ({@link PeerArmWord}). For a parked thread the
 * dispatcher receives the rings.
 */
public final class PeerWait extends BlockingWait<Bell> implements Watcher {
    private static final int LOOKS_PER_CLOCK = 16;

    private final PeerSource source;
    private final int direction;

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
        return source.watchers.arm(direction, this);
    }

    @Override
    protected void disarm() {
        source.watchers.disarm(direction, this);
    }

    @Override
    protected Bell takeBell() {
        return Thread.currentThread().isVirtual() ? null : BellPool.takeForThread();
    }

    @Override
    protected void giveBell(Bell borrowed) {
        if (borrowed != null) {
            BellPool.give(borrowed);
        }
    }

    @Override
    protected void discardBell(Bell ended) {
        BellPool.discard(ended);
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
