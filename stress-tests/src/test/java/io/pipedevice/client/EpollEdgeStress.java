// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.stress.Rendezvous;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The first edge-triggered check, which always reports that the socket is writable, while PD Driver publishes data; and
 * a second check afterwards. (false, false) is the bug that makes a program hang: no check reports the data. (true,
 * true) is the bug that wakes it needlessly: both report the data.
 *
 * <p>Seen to fail with (true, true) when {@link DriverEntry#look} reads the edge only before readiness, and with
 * (false, false) when it reads the edge only after readiness.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The first check sees the data.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The second check sees the data.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "No check sees the data.")
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "Both checks report the same data.")
@State
public class EpollEdgeStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();
    private final DriverEntry entry = socket.watch(PdEpoll.IN | PdEpoll.OUT | PdEpoll.ET);

    /** PD Driver. */
    @Actor
    public void driver() {
        start.meet();
        socket.driver.produced(100);
    }

    /** The waiting thread. */
    @Actor
    public void waiting(ZZ_Result result) {
        start.meet();
        result.r1 = reports();
    }

    /** The waiting thread's next wait. */
    @Arbiter
    public void next(ZZ_Result result) {
        result.r2 = reports();
    }

    private boolean reports() {
        int ready = entry.look();
        if (ready != 0) {
            entry.reported();
        }
        return (ready & PdEpoll.IN) != 0;
    }
}
