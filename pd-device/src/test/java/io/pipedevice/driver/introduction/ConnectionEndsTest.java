// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.TcpSequences;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ConnectionEndsTest {
    private static final int PORT = 40_000;

    private final ConnectionEnds ends = new ConnectionEnds();
    private final Participant server = new Participant(null, null, null);

    private Acceptance acceptance(int request) {
        return new Acceptance(server, request, 1, PORT, null, new TcpSequences(1, 2), true, 0, 0, 0);
    }

    @Test
    void aQuestionThatIsAskedTwiceAtTheSameTimeIsKeptOnce() {
        assertTrue(ends.add(acceptance(1)));
        assertFalse(ends.add(acceptance(1)));
        assertEquals(1, server.waiting);
    }

    @Test
    void nothingIsLeftOfAServerThatHasEnded() {
        ends.add(acceptance(1));
        ends.add(acceptance(1));
        ends.add(acceptance(2));
        assertTrue(ends.hasAcceptance(PORT));
        ends.removeOf(server);
        assertFalse(ends.hasAcceptance(PORT));
        assertEquals(0, server.waiting);
    }

    @Test
    void theIntentMayComeAsLongAsAWholeTurnOfMessagesHasNotEnded() {
        ends.add(acceptance(1));
        assertTrue(ends.takeHopeless(0).isEmpty());
        ends.endTurn();
        assertTrue(ends.takeHopeless(0).isEmpty());
        assertTrue(ends.isUnsettled());
        ends.endTurn();
        assertEquals(1, ends.takeHopeless(0).size());
        assertFalse(ends.hasAcceptance(PORT));
    }

    @Test
    void anAnnouncedConnectionIsNotHopelessBeforeItsTimeIsOver() {
        ends.add(new Intent(server, 1, PORT, 0));
        ends.add(acceptance(1));
        ends.endTurn();
        ends.endTurn();
        assertTrue(ends.takeHopeless(TimeUnit.SECONDS.toNanos(1)).isEmpty());
        assertEquals(1, ends.takeHopeless(TimeUnit.SECONDS.toNanos(1) + 1).size());
    }
}
