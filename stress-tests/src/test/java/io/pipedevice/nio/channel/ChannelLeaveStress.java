// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.stress.Rendezvous;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A reader and a writer are in a channel that a third thread has closed, and leave at the same time. The last one
 * closes the rings. 0 is the bug, a leak: each assumed that the other was the last.
 *
 * <p>Seen to fail when {@link ChannelLocks#closeWhenIdle} does not check again after it has released the read lock.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Closed once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Never closed, or twice.")
@State
public class ChannelLeaveStress {
    private final Rendezvous inside = new Rendezvous();
    private final ClosingChannel channel = new ClosingChannel();

    /** The third thread has found both locks taken. */
    public ChannelLeaveStress() {
        channel.closed();
    }

    /** The thread that reads. */
    @Actor
    public void reader() {
        stay(channel.locks.read());
    }

    /** The thread that writes. */
    @Actor
    public void writer() {
        stay(channel.locks.write());
    }

    private void stay(HandOffLock lock) {
        lock.lock();
        try {
            inside.meet();
        } finally {
            lock.unlock();
            channel.left();
        }
    }

    /** Reads how often the rings were closed. */
    @Arbiter
    public void closes(I_Result result) {
        result.r1 = channel.closes();
    }
}
