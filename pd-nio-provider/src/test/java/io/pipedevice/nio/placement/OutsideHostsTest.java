// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class OutsideHostsTest {
    private static final InetSocketAddress ONE = new InetSocketAddress("192.0.2.1", 80);

    private long nowNs = -5;
    private final OutsideHosts outside = new OutsideHosts(() -> nowNs);

    private void assertPause(long nanos) {
        assertTrue(outside.contains(ONE));
        nowNs += nanos - 1;
        assertTrue(outside.contains(ONE));
        nowNs++;
        assertFalse(outside.contains(ONE));
    }

    @Test
    void pausesGrowUpToALimit() {
        assertFalse(outside.contains(ONE));
        long pause = OutsideHosts.FIRST_NS;
        for (int i = 0; i < 10; i++) {
            outside.outside(ONE);
            assertPause(Math.min(pause, OutsideHosts.MOST_NS));
            pause *= 2;
        }
    }

    @Test
    void aDestinationThatTookPartBeforeIsAskedAgainSooner() {
        outside.outside(ONE);
        outside.inside(ONE);
        assertFalse(outside.contains(ONE));
        outside.outside(ONE);
        assertPause(OutsideHosts.FIRST_AGAIN_NS);
        outside.outside(ONE);
        assertPause(2 * OutsideHosts.FIRST_AGAIN_NS);
        outside.inside(ONE);
        outside.outside(ONE);
        assertPause(OutsideHosts.FIRST_AGAIN_NS);
    }

    @Test
    void connectionsThatFailAtTheSameTimeCountOnce() {
        for (int i = 0; i < 10; i++) {
            outside.outside(ONE);
        }
        assertPause(OutsideHosts.FIRST_NS);
    }

    @Test
    void manyDestinationsTakeLimitedMemory() {
        outside.outside(ONE);
        for (int i = 0; i < 10_000; i++) {
            outside.inside(new InetSocketAddress("192.0.2.2", i));
        }
        assertTrue(outside.contains(ONE), "those that ask anyway make room first");
    }
}
