// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.IntentTable;
import io.pipedevice.stress.Rendezvous;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A client takes back the announcement of a connection, while a server that has accepted the connection asks for the
 * byte. The results are: the client has taken it back, the server waits for the connection. Both together are a server
 * that waits for a connection that no one posts.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The server finds no announcement.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The client posts the connection.")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "The server also asks the driver; the client posts.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The server waits in vain.")
@State
public class PeerIntentStress {
    private final Rendezvous start = new Rendezvous();
    private final PlayedListener listener = new PlayedListener();
    private final Announcement announced = listener.announce(PlayedListener.PORT);

    /** Takes the announcement back. */
    @Actor
    public void client(ZZ_Result result) {
        start.meet();
        result.r1 = listener.connector.revoke(announced);
    }

    /** Asks, fences, and looks again, as a listener does. */
    @Actor
    public void server(ZZ_Result result) {
        start.meet();
        if (listener.intent(PlayedListener.PORT) != IntentTable.NONE) {
            listener.ring.challenge(announced.slot(), announced.generation(), 0, 0);
            VarHandle.fullFence();
            result.r2 = listener.intent(PlayedListener.PORT) != IntentTable.NONE;
        }
    }
}
