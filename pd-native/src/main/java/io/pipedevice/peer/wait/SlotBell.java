// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Futex;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.wait.ThreadBell;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Puts a thread to sleep on a word in its peer's memory, which the peer increments when it rings. Sleeping and ringing
 * are a futex(2) each: less than half of what a message to a socket costs, and no descriptor. Any value of the word
 * delays or wakes this thread only.
 *
 * <p>The sleeping thread reads the word, arms, fences, checks its source, and sleeps if the word has not changed. The
 * peer publishes, fences, and reads the arm word; if it is armed, it increments its word, and wakes. So it has
 * incremented the word before the thread falls asleep, or finds the thread asleep.
 *
 * <p>{@link #signal} is for any thread of this process, which cannot change the word; the other methods are for the
 * sleeping thread, of which there is one at a time.
 */
public final class SlotBell implements ThreadBell {
    /** The wake-ups that are tried at once. A thread that is about to sleep does so after some instructions. */
    private static final int TRIES = 100;

    private static final long BETWEEN_TRIES_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final LinkMemory peer;
    private final int offset;

    /** The word before the thread armed. */
    private int before;

    /** Whether the thread sleeps, or will unless its source is ready. */
    private volatile boolean asleep;

    private volatile boolean signalled;

    /**
     * Creates a bell without a sleeping thread.
     *
     * @param peer the memory of the peer
     * @param offset of the word that it increments
     */
    public SlotBell(LinkMemory peer, int offset) {
        this.peer = peer;
        this.offset = offset;
    }

    /** The thread is about to arm. Afterwards it fences, and checks its source. */
    void prepare() {
        signalled = false;
        asleep = true;
        before = (int) peer.getAcquire(offset);
    }

    /** The thread sleeps no more. */
    void rest() {
        asleep = false;
    }

    @Override
    public boolean sleep(long nanos) throws PdException {
        if (!signalled) {
            try {
                Futex.await(peer.memory(), offset, before, nanos);
            } catch (LinuxException e) {
                throw new PdException(e.errno(), "cannot sleep");
            }
        }
        return true;
    }

    /**
     * Tries until the thread is awake: between its last check and its sleep there is nothing that a wake-up changes.
     */
    @Override
    public void signal() {
        signalled = true;
        for (int i = 0; asleep && signalled && !wake(); i++) {
            if (i < TRIES) {
                Thread.onSpinWait();
            } else {
                // It has lost its processor there.
                LockSupport.parkNanos(this, BETWEEN_TRIES_NS);
            }
        }
    }

    private boolean wake() {
        try {
            return Futex.wake(peer.memory(), offset);
        } catch (IllegalStateException e) {
            // The memory is unmapped, so that no thread sleeps on it.
            return true;
        }
    }

    /**
     * Wakes the peer's thread that sleeps on a word of this side.
     *
     * @param own the memory of this side
     * @param offset of the word
     */
    public static void ring(LinkMemory own, int offset) {
        own.increment(offset);
        Futex.wake(own.memory(), offset);
    }
}
