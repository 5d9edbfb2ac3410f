// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The control group with a memory limit that other tests use. */
@Timeout(120)
class MemoryGroupTest {
    private static final long MB = 1 << 20;

    @Test
    void aProcessThatNeedsMoreThanTheLimitIsKilled() throws Exception {
        try (MemoryGroup group = MemoryGroup.of(100 * MB)) {
            try (ChildJvm child = ChildJvm.start(group.wrapper(), List.of("-Xmx400m"), Eater.class, "300")) {
                assertNotEquals(0, child.awaitEnd());
            }
            assertEquals(1, group.killed());
            assertTrue(group.most() > 90 * MB, "most was " + group.most());
        }
    }

    @Test
    void aProcessThatNeedsLessGoesOn() throws Exception {
        try (MemoryGroup outer = MemoryGroup.of(400 * MB)) {
            try (MemoryGroup inner = outer.within(300 * MB)) {
                try (ChildJvm child = ChildJvm.start(inner.wrapper(), List.of("-Xmx400m"), Eater.class, "50")) {
                    assertEquals(0, child.awaitEnd());
                }
                assertEquals(0, inner.killed());
            }
        }
    }

    /** A process that takes as many MB as its argument says. */
    static final class Eater {
        private Eater() {}

        public static void main(String[] args) {
            List<byte[]> eaten = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(args[0]); i++) {
                eaten.add(new byte[(int) MB]);
            }
            System.out.println("ATE " + eaten.size());
        }
    }
}
