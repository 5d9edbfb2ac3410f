// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdEpoll;
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
 * The sleep and wake protocol of an epoll instance: PD Driver publishes its position and ends its duty cycle; the
 * waiting thread arms the socket and checks it once more. (false, false) is the bug, a lost wake-up: data are
 * available, no doorbell rings, and the epoll instance sleeps.
 *
 * <p>Seen to fail without the fence of {@link DriverEntry#armAndLook}, and without that of the driver's Notifier.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The driver sees the sleeper, and rings.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The sleeper sees the data, and stays awake.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both: one ring too many, which costs only time.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Lost wake-up.")
@State
public class EpollSleepStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedSockets.Connected socket = PlayedSockets.connect();
    private final DriverEntry entry = socket.watch(PdEpoll.IN);

    /** PD Driver: publishes, then checks whether to post an event and ring. */
    @Actor
    public void driver(ZZ_Result result) {
        start.meet();
        socket.driver.produced(100);
        result.r1 = socket.driver.rings();
        socket.takeEvents();
    }

    /** PD Lib: arms, then checks whether to block. */
    @Actor
    public void sleeper(ZZ_Result result) {
        start.meet();
        try {
            result.r2 = entry.armAndLook() != 0;
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }
}
