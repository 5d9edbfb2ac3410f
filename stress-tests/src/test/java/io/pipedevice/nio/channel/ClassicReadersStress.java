// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.stress.Rendezvous;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Two threads read a byte each from a socket of java.net. One byte is there, and the peer sends another one when a
 * thread has read the first. Any other result than one byte each is a bug: a byte is lost or duplicated, or the second
 * reader is not woken.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "The first thread read first.")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "The second thread read first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A byte is lost or duplicated.")
@State
public class ClassicReadersStress {
    private static final int LONG_MILLIS = 5000;

    private final Rendezvous start = new Rendezvous();
    private final RingedSocket socket = RingedSocket.connect().within(LONG_MILLIS);

    /** The peer has sent the first byte. */
    public ClassicReadersStress() {
        socket.peerSends(1);
    }

    /** One thread. */
    @Actor
    public void first(LL_Result result) {
        result.r1 = read();
    }

    /** The other thread. */
    @Actor
    public void second(LL_Result result) {
        result.r2 = read();
    }

    private String read() {
        start.meet();
        String value = socket.read();
        if (value.equals("1")) {
            socket.peerSends(2);
        }
        return value;
    }

    /** Closes the connection. */
    @Arbiter
    public void end(LL_Result result) {
        socket.end();
    }
}
