// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.stream.RingLink;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether a link can be used, and if not, why; and the lock that guards the link. Thread safe.
 *
 * <p>While the lock is held no other lock is taken but those of the sweeper and of the budget, under which no other is, and
 * no thread is woken.
 */
final class LinkState {
    private static final LazyLogger LOG = new LazyLogger(LinkState.class);

    final ReentrantLock lock = new ReentrantLock();
    private final LinkParts parts;
    private final LinkMemory own;

    /** Changed under the lock; any thread reads it. The memories are unmapped then, and every access throws. */
    private volatile boolean ended;

    private volatile boolean broken;

    /** Null until this side gives the link up, which is then broken. */
    private volatile String whyGivenUp;

    /** Whether the log says already that the peer breaks the protocol. Guarded by the lock. */
    private boolean suspected;

    LinkState(LinkParts parts, LinkMemory own) {
        this.parts = parts;
        this.own = own;
    }

    /** Takes the lock, unless that takes longer than a time. */
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

    /** Whether the memories are mapped and the peer is there, as far as this side knows. */
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

    /** Takes the link out of use; the watching thread wakes all that wait for it. */
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

    /** Takes the exception of an access to memory; throws it unless the link has ended meanwhile, which explains it. */
    void requireEnded(IllegalStateException e) {
        if (!ended) {
            throw e;
        }
    }

    /** As {@link RingLink#giveUp}. */
    void giveUp(String why) {
        if (whyGivenUp == null && !ended) {
            LOG.get().log(Level.WARNING, "the link with process {0} is given up: {1}", process(), why);
            own.setRelease(LinkMemoryDescriptor.GIVEN_UP_OFFSET, 1);
            // In this order: a thread that finds the link broken also finds the reason.
            whyGivenUp = why;
        }
        abandon();
    }

    /** As {@link RingLink#whyGivenUp}. */
    String whyGivenUp() {
        return whyGivenUp;
    }

    /** As {@link RingLink#suspect}. The log gets one line for each link: a peer could cause any number. */
    void suspect(String how) {
        lock.lock();
        try {
            if (!suspected) {
                LOG.get().log(Level.WARNING, "process {0} breaks the protocol: {1}", process(), how);
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
