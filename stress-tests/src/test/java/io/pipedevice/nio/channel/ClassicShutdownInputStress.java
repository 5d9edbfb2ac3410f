// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.stress.Appointment;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * The input of a socket of java.net is shut while another thread reads. In every second state a byte is there. The
 * reader gets the byte or the end, and after the shutdown there is only the end. A read that times out is the bug: it
 * was not woken.
 */
@JCStressTest
@Outcome(id = "7, -1", expect = Expect.ACCEPTABLE, desc = "The reader was first.")
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "The shutdown was first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The reader hung, or there are bytes after the shutdown.")
@State
public class ClassicShutdownInputStress {
    private static final int LONG_MILLIS = 5000;

    private final Appointment start = new Appointment();
    private final RingedSocket socket = RingedSocket.connect().within(LONG_MILLIS);

    /** The peer has sent a byte, or not. */
    public ClassicShutdownInputStress() {
        if (ThreadLocalRandom.current().nextBoolean()) {
            socket.peerSends(7);
        }
    }

    /** The thread that reads. */
    @Actor
    public void reader(LL_Result result) {
        result.r1 = start.meet() ? socket.read() : "-1";
    }

    /** The thread that shuts the input. */
    @Actor
    public void shutter() {
        start.meet();
        RingedSocket.pause(0, 60);
        socket.shutdownInput();
    }

    /** Reads again. */
    @Arbiter
    public void later(LL_Result result) {
        result.r2 = socket.read();
        socket.end();
    }
}
