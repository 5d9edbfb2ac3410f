// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.wait.WaitEntry;
import java.lang.invoke.VarHandle;

/**
 * A socket in a {@link PdEpoll}. The driver tells of one that is armed. Belongs to the thread that waits, except what says
 * otherwise.
 */
final class DriverEntry extends WaitEntry {
    final SocketCore core;
    final DriverWaitSet epoll;

    /** The instance's own. */
    final int doorbell;

    /** What it was last armed for, 0 if it is active; also read by others that arm the same socket. */
    volatile int armed;

    /** For edge-triggered entries: what was reported, and what the last look saw. */
    private long reportedWish;

    private long reportedInput;
    private long reportedState;
    private int reportedRefusals;
    private long seenWish;
    private long seenInput;
    private long seenState;
    private int seenRefusals;

    DriverEntry(SocketCore core, DriverWaitSet epoll, int doorbell, int interest, Object attachment) {
        super(epoll, core.socket, interest, attachment);
        this.core = core;
        this.epoll = epoll;
        this.doorbell = doorbell;
    }

    @Override
    protected void withdraw() {
        core.epollEntries().remove(this);
    }

    /** What is to be reported now, 0 for nothing. Changes nothing that matters. */
    @Override
    protected int look() {
        long now = wish();
        int wanted = (int) now;
        try {
            if ((wanted & PdEpoll.ET) == 0) {
                return core.readiness(wanted);
            }
            seenWish = now;
            return newsOf(lookAtEdges(wanted));
        } catch (IllegalStateException e) {
            // Closed: its removal from this instance is under way.
            return 0;
        }
    }

    /**
     * Edges are looked at before readiness, so that the next look reports what comes after both. What comes between
     * the two is part of this one where readiness shows it: the program hears of it, and receives it, after that.
     */
    private int lookAtEdges(int wanted) {
        int ready;
        do {
            seenState = core.stateEdge();
            seenInput = core.inputEdge();
            seenRefusals = core.refusals();
            ready = core.readiness(wanted);
        } while (core.stateEdge() != seenState);
        if ((ready & PdEpoll.IN) != 0) {
            seenInput = core.inputEdge();
        }
        return ready;
    }

    private int newsOf(int ready) {
        if (seenWish != reportedWish || seenState != reportedState) {
            return ready;
        }
        int report = ready & (seenInput != reportedInput ? ~0 : ~PdEpoll.IN);
        report &= seenRefusals != reportedRefusals ? ~0 : ~PdEpoll.OUT;
        return (report & (PdEpoll.IN | PdEpoll.OUT)) == 0 ? 0 : report;
    }

    @Override
    protected void reported() {
        reportedWish = seenWish;
        reportedInput = seenInput;
        reportedState = seenState;
        reportedRefusals = seenRefusals;
    }

    /** The driver's word stays, and may bring one ring too many. */
    @Override
    protected void disarm() {
        armed = 0;
    }

    @Override
    protected int armAndLook() throws PdException {
        long now = wish();
        int wanted = (int) now;
        int bits = wanted & (PdEpoll.IN | PdEpoll.OUT);
        if ((wanted & PdEpoll.ET) != 0 && now == reportedWish && seenRefusals == reportedRefusals) {
            // Completions are not reported until the program was refused room again.
            bits &= ~PdEpoll.OUT;
        }
        try {
            core.beforeEpollSleep();
            core.epollEntries().arm(this, bits);
        } catch (IllegalStateException e) {
            return 0;
        }
        VarHandle.fullFence();
        return look();
    }
}
