// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PlatformTest {
    @Test
    void thisPlatformIsSupported() {
        assertEquals("", Platform.whyNot());
        assertTrue(Platform.supported());
    }

    @Test
    void deniedNativeAccessIsAnsweredWithTheFlag() throws Exception {
        try (Child child = Child.java(":", "--illegal-native-access=deny", Asks.class)) {
            assertEquals(
                    "false PipeDevice may not call the C library; start java with"
                            + " --enable-native-access=ALL-UNNAMED",
                    child.output().strip());
        }
    }

    @Test
    void otherSystemsAreNamed() throws Exception {
        try (Child child = Child.java(":", "-Dos.name=Plan 9", Asks.class)) {
            assertEquals(
                    "false PipeDevice needs Linux, and this is Plan 9",
                    child.output().strip());
        }
        try (Child child = Child.java(":", "-Dos.arch=riscv64", Asks.class)) {
            assertEquals(
                    "false PipeDevice needs an x86-64 or aarch64 processor, and this is riscv64",
                    child.output().strip());
        }
    }

    static final class Asks {
        private Asks() {}

        public static void main(String[] args) {
            System.out.println(Platform.supported() + " " + Platform.whyNot());
        }
    }
}
