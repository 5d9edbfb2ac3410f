// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.stat.KernelReason;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class OutsideHostsTest {
    private static final InetSocketAddress ONE = new InetSocketAddress("192.0.2.1", 80);

    private long nowNs = -5;
    private final OutsideHosts outside = new OutsideHosts(() -> nowNs);

    private boolean isPaused() {
        try {
            outside.check(ONE);
            return false;
        } catch (KernelFallbackException e) {
            assertEquals(KernelReason.POLICY, e.reason());
            assertEquals("line 7", e.getMessage());
            return true;
        }
    }

    private void assertPause(long nanos) {
        assertTrue(isPaused());
        nowNs += nanos - 1;
        assertTrue(isPaused());
        nowNs++;
        assertFalse(isPaused());
    }

    @Test
    void pausesGrowUpToALimit() {
        assertFalse(isPaused());
        long pause = OutsideHosts.FIRST_NS;
        for (int i = 0; i < 10; i++) {
            outside.outside(ONE, new KernelFallbackException(KernelReason.POLICY, "line 7"));
            assertPause(Math.min(pause, OutsideHosts.MOST_NS));
            pause *= 2;
        }
    }

    @Test
    void aDestinationThatTookPartBeforeIsRetriedSooner() {
        outside.outside(ONE, new KernelFallbackException(KernelReason.POLICY, "line 7"));
        outside.inside(ONE);
        assertFalse(isPaused());
        outside.outside(ONE, new KernelFallbackException(KernelReason.POLICY, "line 7"));
        assertPause(OutsideHosts.FIRST_AGAIN_NS);
        outside.outside(ONE, new KernelFallbackException(KernelReason.POLICY, "line 7"));
        assertPause(2 * OutsideHosts.FIRST_AGAIN_NS);
        outside.inside(ONE);
        outside.outside(ONE, new KernelFallbackException(KernelReason.POLICY, "line 7"));
        assertPause(OutsideHosts.FIRST_AGAIN_NS);
    }

    @Test
    void connectionsThatFailAtTheSameTimeCountOnce() {
        for (int i = 0; i < 10; i++) {
            outside.outside(ONE, new KernelFallbackException(KernelReason.POLICY, "line 7"));
        }
        assertPause(OutsideHosts.FIRST_NS);
    }

    @Test
    void manyDestinationsTakeLimitedMemory() {
        outside.outside(ONE, new KernelFallbackException(KernelReason.POLICY, "line 7"));
        for (int i = 0; i < 10_000; i++) {
            outside.inside(new InetSocketAddress("192.0.2.2", i));
        }
        assertTrue(isPaused(), "those that ask anyway make room first");
    }
}
