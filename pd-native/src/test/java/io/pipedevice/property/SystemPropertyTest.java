// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SystemPropertyTest {
    private static final String NAME = "pipedevice.test.only";

    @AfterEach
    void unset() {
        System.clearProperty(NAME);
    }

    private static String refusal(Executable read) {
        return assertThrows(IllegalArgumentException.class, read).getMessage();
    }

    @Test
    void whatIsNotSetHasItsFallback() {
        assertEquals(7, SystemProperty.size(NAME, 7, "any"));
        assertEquals(8, SystemProperty.durationNanos(NAME, 8, "any"));
    }

    @Test
    void whatIsSetIsRead() {
        System.setProperty(NAME, "4k");
        assertEquals(4096, SystemProperty.size(NAME, 7, "any"));
        System.setProperty(NAME, "4us");
        assertEquals(4000, SystemProperty.durationNanos(NAME, 7, "any"));
    }

    @Test
    void refusalNamesThePropertyItsValueAndWhatIsAllowed() {
        System.setProperty(NAME, "soon");
        assertEquals(NAME + " = soon; allowed: 1k to 4m", refusal(() -> SystemProperty.size(NAME, 7, "1k to 4m")));
        assertEquals(
                NAME + " = soon; allowed: 0 to 1s", refusal(() -> SystemProperty.durationNanos(NAME, 7, "0 to 1s")));
    }
}
