// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.peer.link.PeerRefusal;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ForbearanceTest {
    private final Forbearance<Integer> failures = new Forbearance<>();

    private static PeerRefusal refusal(PeerRefusal.Reason reason) {
        return new PeerRefusal(reason, "");
    }

    @Test
    void aFailureIsRepeatedForAWhile() {
        failures.remember(1, refusal(PeerRefusal.Reason.BACKLOG_FULL), 0);
        assertDoesNotThrow(() -> failures.check(2));
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertDoesNotThrow(() -> failures.check(1)));
        failures.remember(1, refusal(PeerRefusal.Reason.OTHER_USER), 0);
        PeerRefusal again = assertThrows(PeerRefusal.class, () -> failures.check(1));
        assertEquals(PeerRefusal.Reason.OTHER_USER, again.reason());
    }

    @Test
    void noMoreThanSoManyAreRemembered() {
        for (int i = 0; i < Forbearance.MOST; i++) {
            failures.remember(i, refusal(PeerRefusal.Reason.OTHER_USER), 0);
        }
        failures.remember(Forbearance.MOST, refusal(PeerRefusal.Reason.OTHER_USER), 0);
        assertDoesNotThrow(() -> failures.check(Forbearance.MOST));
        assertThrows(PeerRefusal.class, () -> failures.check(0));
    }

    @Test
    void aProcessThatIsSlowToLookAtIsNotLookedAtAgainSoon() {
        failures.remember(1, refusal(PeerRefusal.Reason.OTHER_PROCESS), Forbearance.MOST_NS);
        failures.remember(2, refusal(PeerRefusal.Reason.OTHER_USER), Forbearance.MOST_NS);
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertDoesNotThrow(() -> failures.check(2)));
        assertThrows(PeerRefusal.class, () -> failures.check(1));
    }
}
