// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.stress.Rendezvous;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * A listener accepts once and closes, while a client posts a connection. The results are: connected, accepted, reset. A
 * client that has connected must be accepted or reset, and one that uses the kernel must not be accepted. (true, false,
 * false) is a client that never gets an answer, (false, true, false) is a connection at the server without a client.
 *
 * <p>Seen to fail without the fences of {@link AcceptRing#stop} and {@link Connector}.
 */
@JCStressTest
@Outcome(id = "true, true, false", expect = Expect.ACCEPTABLE, desc = "Accepted.")
@Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "The closing listener resets the connection.")
@Outcome(id = "false, false, false", expect = Expect.ACCEPTABLE, desc = "The client finds the listener closed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Client and server disagree.")
@State
public class PeerListenerStopStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedListener listener = new PlayedListener();
    private PeerSocket connected;

    /** Posts, then checks whether the listener is open. */
    @Actor
    public void client(ZZZ_Result result) {
        start.meet();
        connected = listener.connect();
        result.r1 = connected != null;
    }

    /** Accepts, stops listening, then checks for posted connections. */
    @Actor
    public void server(ZZZ_Result result) {
        start.meet();
        try {
            result.r2 = listener.ring.take() != null;
            listener.ring.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks the client's result. */
    @Arbiter
    public void look(ZZZ_Result result) {
        try {
            result.r3 = connected != null && connected.read(ByteBuffer.allocate(1)) != 0;
        } catch (PdException e) {
            result.r3 = true;
        }
    }
}
