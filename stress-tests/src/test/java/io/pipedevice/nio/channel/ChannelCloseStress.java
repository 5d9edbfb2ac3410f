// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * A channel is closed while another thread reads and then writes. A first value of true is a bug: the rings are closed
 * during a call that may use them. Any number of closes other than 1 is also a bug: 0 is a leak.
 *
 * <p>Seen to fail with 0 when {@link ChannelLocks#closeWhenIdle} does not check again after it has released the read
 * lock.
 */
@JCStressTest
@Outcome(id = "false, 1", expect = Expect.ACCEPTABLE, desc = "Closed once, when no thread used the channel.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Closed while in use, never, or twice.")
@State
public class ChannelCloseStress {
    private final ClosingChannel channel = new ClosingChannel();

    /** The thread that reads and writes. */
    @Actor
    public void user(ZI_Result result) {
        boolean closedInRead = channel.use(channel.locks.read());
        boolean closedInWrite = channel.use(channel.locks.write());
        result.r1 = closedInRead || closedInWrite;
    }

    /** The thread that closes. */
    @Actor
    public void closer() {
        channel.close();
    }

    /** Reads how often the rings were closed. */
    @Arbiter
    public void closes(ZI_Result result) {
        result.r2 = channel.closes();
    }
}
