// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A thread goes to sleep on a word of its peer, while the peer publishes, and, in half of the states, a thread of its
 * own process signals instead. (false) is the bug, a lost wake-up: the thread sleeps until its timeout.
 *
 * <p>Seen to fail when the word is read after the check, and when a signal is sent only once.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The thread sees what was published, or is woken.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class SlotBellStress {
    private static final int WORDS = 1 << 16;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final LinkMemory MEMORY = new LinkMemory(Arena.global().allocate(WORDS * 64L, 4096));
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final Rendezvous start = new Rendezvous();
    private final int number = NUMBERS.getAndIncrement() & Integer.MAX_VALUE;
    private final int offset = number % WORDS * 64;
    private final SlotBell bell = new SlotBell(MEMORY, offset);

    @SuppressWarnings("unused") // by ARMED
    private boolean armed;

    @SuppressWarnings("unused") // by PUBLISHED
    private boolean published;

    private static final VarHandle ARMED;
    private static final VarHandle PUBLISHED;

    static {
        try {
            var lookup = java.lang.invoke.MethodHandles.lookup();
            ARMED = lookup.findVarHandle(SlotBellStress.class, "armed", boolean.class);
            PUBLISHED = lookup.findVarHandle(SlotBellStress.class, "published", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Creates it without a thread that sleeps. */
    public SlotBellStress() {}

    /** Publishes, and wakes. */
    @Actor
    public void peer() {
        start.meet();
        PUBLISHED.setRelease(this, true);
        VarHandle.fullFence();
        if (number % 2 == 0) {
            bell.signal();
        } else if ((boolean) ARMED.getAcquire(this)) {
            SlotBell.ring(MEMORY, offset);
        }
    }

    /** Sleeps until that. */
    @Actor
    public void sleeper(Z_Result result) {
        start.meet();
        long begin = System.nanoTime();
        try {
            while (true) {
                bell.prepare();
                ARMED.setRelease(this, true);
                VarHandle.fullFence();
                if ((boolean) PUBLISHED.getAcquire(this)) {
                    break;
                }
                bell.sleep(TIMEOUT_NS);
            }
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        } finally {
            bell.rest();
        }
        result.r1 = System.nanoTime() - begin < TIMEOUT_NS;
    }
}
