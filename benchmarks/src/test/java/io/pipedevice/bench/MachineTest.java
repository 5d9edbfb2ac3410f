// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class MachineTest {
    private static final String NORMAL =
            "7f00-7f01 rw-s 00000000 00:01 1 /memfd:pd-send (deleted)\nKernelPageSize: 4 kB\n";
    private static final String HUGE =
            "7f02-7f03 r--s 00000000 00:01 2 /memfd:pd-receive-1 (deleted)\nKernelPageSize: 2048 kB\n";
    private static final String OTHER = "7f04-7f05 r--p 00000000 00:01 3 /lib/libc.so\nKernelPageSize: 64 kB\n";

    @Test
    void pagesAreThoseOfTheRings() {
        assertEquals("4 kB", Machine.pages(OTHER + NORMAL + OTHER));
        assertEquals("2048 kB", Machine.pages(HUGE + OTHER));
        assertEquals("2048 kB and 4 kB", Machine.pages(NORMAL + HUGE));
        assertEquals("unknown", Machine.pages(OTHER));
    }

    @Test
    void everyFactIsKnownHere() {
        String facts = Machine.processors()
                + Machine.memory()
                + Machine.kernel()
                + Machine.jvm()
                + Machine.congestionControl()
                + Machine.loadAverage();
        assertFalse(facts.contains("unknown") || facts.contains("null"), facts);
    }
}
