// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PdOptionsTest {
    @AfterEach
    void clearProperties() {
        System.clearProperty(PdOptions.SEND_MEMORY_PROPERTY);
        System.clearProperty(PdOptions.MAX_SOCKETS_PROPERTY);
        System.clearProperty(PdOptions.REQUEST_DEPTH_PROPERTY);
        System.clearProperty(PdOptions.HUGE_PAGES_PROPERTY);
        System.clearProperty(PdOptions.SPIN_PROPERTY);
        System.clearProperty(SpinMode.PROPERTY);
    }

    @Test
    void spinModeNeverSetsTheDefaultSpinToZero() {
        System.setProperty(SpinMode.PROPERTY, "never");
        assertEquals(0, new PdOptions().spinMicros());
        System.setProperty(PdOptions.SPIN_PROPERTY, "7");
        assertEquals(7, new PdOptions().spinMicros());
    }

    @Test
    void propertiesReplaceDefaults() {
        System.setProperty(PdOptions.SEND_MEMORY_PROPERTY, "3G");
        System.setProperty(PdOptions.MAX_SOCKETS_PROPERTY, "2k");
        System.setProperty(PdOptions.HUGE_PAGES_PROPERTY, "false");
        PdOptions options = new PdOptions();
        assertEquals(3L << 30, options.sendMemory());
        assertEquals(2048, options.maxSockets());
        assertEquals(4096, options.requestDepth());
        assertEquals(
                "PdOptions{pipedevice.request.depth=4096, pipedevice.max.sockets=2048, pipedevice.send.memory="
                        + (3L << 30) + ", pipedevice.huge.pages=false, pipedevice.spin.micros=" + options.spinMicros()
                        + '}',
                options.toString());
    }

    @ParameterizedTest
    @CsvSource({
        PdOptions.SEND_MEMORY_PROPERTY + ",    1m,       2097152",
        PdOptions.SEND_MEMORY_PROPERTY + ",    much,     k m g",
        PdOptions.SEND_MEMORY_PROPERTY + ",    '',       k m g",
        PdOptions.SEND_MEMORY_PROPERTY + ",    9999999999999g, k m g",
        PdOptions.MAX_SOCKETS_PROPERTY + ",    0,        1 to 65535",
        PdOptions.MAX_SOCKETS_PROPERTY + ",    65536,    1 to 65535",
        PdOptions.MAX_SOCKETS_PROPERTY + ",    4294967297, 1 to 65535",
        PdOptions.REQUEST_DEPTH_PROPERTY + ",  100,      powers of two",
        PdOptions.REQUEST_DEPTH_PROPERTY + ",  131072,   powers of two",
        PdOptions.HUGE_PAGES_PROPERTY + ",     yes,      true and false",
        PdOptions.SPIN_PROPERTY + ",           -1,       0 (never) to 1000",
        SpinMode.PROPERTY + ",                 yes,      adaptive never always"
    })
    void refusalNamesThePropertyAndWhatIsAllowed(String property, String value, String allowed) {
        System.setProperty(property, value);
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, PdOptions::new);
        assertTrue(e.getMessage().contains(property), e.getMessage());
        for (String word : allowed.split(" ", -1)) {
            assertTrue(e.getMessage().contains(word), e.getMessage());
        }
    }
}
