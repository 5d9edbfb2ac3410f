// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A socket in an epoll instance. Belongs to the thread that waits, except the fields that say otherwise.
 *
 * <p>It is either a candidate, looked at in memory at each wait, or armed, and the driver tells when there is news.
 */
final class EpollEntry {
    final SocketCore core;
    final PdEpoll epoll;
    final Object attachment;

    /** What the program asked for; any thread. */
    private volatile int interest;

    /** Grows whenever the program asks, which makes what is ready news again; any thread. */
    private volatile int asked = 1;

    volatile boolean removed;

    /** Whether the entry is in the list of those that other threads, or the driver, want to have looked at. */
    final AtomicBoolean queued = new AtomicBoolean();

    EpollEntry nextQueued;

    boolean candidate;
    int looksInVain;

    /** What it was last armed for, 0 if it is a candidate; also read by others that arm the same socket. */
    volatile int armed;

    /** For edge-triggered entries: what was reported, and what the last look saw. */
    private int reportedAsked;

    private long reportedInput;
    private long reportedState;
    private int reportedRefusals;
    private int seenAsked;
    private long seenInput;
    private long seenState;
    private int seenRefusals;

    EpollEntry(SocketCore core, PdEpoll epoll, int interest, Object attachment) {
        this.core = core;
        this.epoll = epoll;
        this.interest = interest;
        this.attachment = attachment;
    }

    /** What the program asks for from now on. Any thread. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    synchronized void interest(int wanted) {
        interest = wanted;
        asked++;
    }

    /** What is to be reported now, 0 for nothing. Changes nothing that matters. */
    int look() {
        int wanted = interest;
        try {
            if ((wanted & PdEpoll.ET) == 0) {
                return core.readiness(wanted);
            }
            // In this order: what comes after these looks is news for the next.
            seenAsked = asked;
            seenInput = core.inputEdge();
            seenState = core.stateEdge();
            seenRefusals = core.refusals();
            int ready = core.readiness(wanted);
            if (seenAsked != reportedAsked || seenState != reportedState) {
                return ready;
            }
            ready &= seenInput != reportedInput ? ~0 : ~PdEpoll.IN;
            ready &= seenRefusals != reportedRefusals ? ~0 : ~PdEpoll.OUT;
            return (ready & (PdEpoll.IN | PdEpoll.OUT)) == 0 ? 0 : ready;
        } catch (IllegalStateException e) {
            // Closed: its removal from this instance is under way.
            return 0;
        }
    }

    /** Notes that what {@link #look} saw is reported. */
    void reported() {
        looksInVain = 0;
        reportedAsked = seenAsked;
        reportedInput = seenInput;
        reportedState = seenState;
        reportedRefusals = seenRefusals;
    }

    /** Asks the driver to tell when there is news, and looks once more, because there may have been some meanwhile. */
    int armAndLook() throws PdException {
        int wanted = interest;
        int bits = wanted & (PdEpoll.IN | PdEpoll.OUT);
        if ((wanted & PdEpoll.ET) != 0 && asked == reportedAsked && seenRefusals == reportedRefusals) {
            // Completions are no news until the program was refused room again.
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
