// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.LimitedLog;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.stream.RingLink;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock that guards a link, whether the link can be used, and if not, why. Thread safe.
 *
 * <p>A thread that holds the lock takes no other lock except those of the sweeper and of the budget, which are leaf
 * locks, and wakes no thread.
 */
final class LinkState {
    private static final LimitedLog GIVEN_UP =
            LimitedLog.warning(LinkState.class, "the link with process {0} is given up: {1}");
    private static final LimitedLog SUSPECTED =
            LimitedLog.warning(LinkState.class, "process {0} breaks the protocol: {1}");

    final ReentrantLock lock = new ReentrantLock();
    private final LinkParts parts;
    private final LinkMemory own;

    /** Whether the memories are unmapped, so that every access throws. Changed under the lock; any thread reads it. */
    private volatile boolean ended;

    private volatile boolean broken;

    /** Null until this side gives the link up. The link is broken then. */
    private volatile String whyGivenUp;

    /** Whether it has been logged that the peer breaks the protocol. Guarded by the lock. */
    private boolean suspected;

    LinkState(LinkParts parts, LinkMemory own) {
        this.parts = parts;
        this.own = own;
    }

    /** Takes the lock, unless that takes longer than the timeout. False if not, or if the thread is interrupted. */
    boolean tryLock(long timeoutNanos) {
        if (lock.tryLock()) {
            return true;
        }
        try {
            return timeoutNanos > 0 && lock.tryLock(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether the calling thread holds the lock. */
    boolean isLocked() {
        return lock.isHeldByCurrentThread();
    }

    /** Whether the memories are mapped and, as far as this side knows, the peer is alive. */
    boolean isUsable() {
        return !broken && !ended;
    }

    /** Whether the peer is gone, or this side has taken the link out of use. */
    boolean isBroken() {
        return broken;
    }

    /** Whether the memories are unmapped. */
    boolean isEnded() {
        return ended;
    }

    /** The peer is gone. */
    void peerIsGone() {
        broken = true;
    }

    /** Takes the link out of use; the watching thread wakes the threads that wait for it. */
    void abandon() {
        broken = true;
        parts.hangUp();
    }

    /** The memories are about to be unmapped. */
    void end() {
        assert isLocked();
        ended = true;
        broken = true;
    }

    /** Rethrows the exception of a memory access, unless the end of the link explains it. */
    void requireEnded(IllegalStateException e) {
        if (!ended) {
            throw e;
        }
    }

    /** As {@link RingLink#giveUp}. */
    void giveUp(String why) {
        if (whyGivenUp == null && !ended) {
            GIVEN_UP.log(process(), why);
            own.setRelease(LinkMemoryDescriptor.GIVEN_UP_OFFSET, 1);
            // Stored before abandon(), so that a thread that sees the link broken also sees the reason.
            whyGivenUp = why;
        }
        abandon();
    }

    /** As {@link RingLink#whyGivenUp}. */
    String whyGivenUp() {
        return whyGivenUp;
    }

    /** As {@link RingLink#reportViolation}. Logs one line for each link: a peer could cause any number. */
    void reportViolation(String how) {
        lock.lock();
        try {
            if (!suspected) {
                SUSPECTED.log(process(), how);
            }
            suspected = true;
        } finally {
            lock.unlock();
        }
    }

    private String process() {
        return Long.toString(parts.peerCredentials().pid());
    }
}
