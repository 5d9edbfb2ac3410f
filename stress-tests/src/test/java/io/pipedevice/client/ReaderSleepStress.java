// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.stress.Rendezvous;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The sleep and wake protocol of a thread that blocks in recv: PD Driver publishes its position and ends its duty
 * cycle; the reader arms and checks once more. (false, false) is the bug, a lost wake-up: data are available, no
 * doorbell rings, and the reader blocks.
 *
 * <p>Seen to fail without the fence of {@link DriverWait#armAndLook}, and without that of the driver's Notifier.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The driver sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The reader sees the data, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class ReaderSleepStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();
    private final DriverWait reader = socket.core.receiver().wait;

    /** PD Driver: publishes, then checks whether to ring. */
    @Actor
    public void driver(ZZ_Result result) {
        start.meet();
        socket.driver.produced(100);
        result.r1 = socket.driver.rings();
    }

    /** PD Lib: arms, then checks whether to block. */
    @Actor
    public void reader(ZZ_Result result) {
        start.meet();
        try {
            result.r2 = reader.armAndLook();
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }
}
