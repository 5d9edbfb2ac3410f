// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class TurnEndsTest {
    private final TurnEnds ends = new TurnEnds(0);

    @Test
    void aTurnEndsWhenAllMessagesAreHandled() {
        assertTrue(ends.endsNow(1, true, 1));
        assertTrue(ends.endsNow(2, true, 2));
    }

    @Test
    void aBusyDriverWaitsUntilEachProcessHasHadItsRound() {
        long now = TurnEnds.SHORTEST_NS * 3;
        for (int i = 0; i < TurnEnds.SOME_POLLS * 2; i++) {
            assertFalse(ends.endsNow(now, false, 1), "a process may have been served before the turn began");
        }
        assertTrue(ends.endsNow(now, false, 2));
        assertFalse(ends.endsNow(now + TurnEnds.SHORTEST_NS * 2, false, 3), "another turn, other rounds");
    }

    @Test
    void aBusyDriverDoesNotEndATurnAtOnce() {
        assertFalse(ends.endsNow(TurnEnds.SHORTEST_NS, false, 100));
        assertTrue(ends.endsNow(TurnEnds.SHORTEST_NS + 1, false, 100));
    }

    @Test
    void processesThatSendAllTheTimeDoNotProlongATurnForEver() {
        for (int i = 1; i < TurnEnds.SOME_POLLS; i++) {
            assertFalse(ends.endsNow(TurnEnds.LONGEST_NS + i, false, 0), "it may have stood still");
        }
        assertTrue(ends.endsNow(TurnEnds.LONGEST_NS * 2, false, 0));
        assertFalse(ends.endsNow(TurnEnds.LONGEST_NS * 4, false, 0));
    }
}
