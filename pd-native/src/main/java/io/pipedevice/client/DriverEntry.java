// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.wait.WaitSet;
import java.lang.invoke.VarHandle;

/**
 * A socket in a {@link PdEpoll}. The driver posts an event for an armed one when it becomes ready. Belongs to the
 * waiting thread, except what says otherwise.
 */
final class DriverEntry extends ArmedEntry {
    final SocketCore core;

    /** For edge-triggered entries: the edges of the last report, and those of the last look. */
    private long reportedWish;

    private long reportedInput;
    private long reportedState;
    private int reportedRefusals;
    private long seenWish;
    private long seenInput;
    private long seenState;
    private int seenRefusals;

    DriverEntry(SocketCore core, PdSource source, WaitSet epoll, int doorbell, int interest, Object attachment) {
        super(epoll, source, doorbell, interest, attachment);
        this.core = core;
    }

    @Override
    protected void withdraw() {
        core.epollEntries().remove(this);
    }

    /** Returns the readiness to report, 0 for none. A look alone changes no state of the program. */
    @Override
    protected int look() {
        long now = wish();
        int wanted = (int) now;
        try {
            if ((wanted & PdEpoll.ET) == 0) {
                return core.readiness(wanted);
            }
            seenWish = now;
            return unreported(lookAtEdges(wanted));
        } catch (IllegalStateException e) {
            // Closed: its removal from this instance is under way.
            return 0;
        }
    }

    /**
     * Reads the edges before the readiness, so that the next look reports whatever follows both. Input that comes
     * between the two belongs to this look if the readiness shows it, because the program receives it after this
     * report.
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

    private int unreported(int ready) {
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

    /** The arm word stays, and may cost one ring that was not needed. */
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
