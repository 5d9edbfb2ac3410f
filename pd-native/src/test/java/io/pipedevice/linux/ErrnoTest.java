// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

class ErrnoTest {
    @Test
    void everyConstantHasItsOwnName() throws IllegalAccessException {
        int constants = 0;
        for (Field field : Errno.class.getFields()) {
            assertEquals(field.getName(), Errno.name(field.getInt(null)));
            assertFalse(Errno.text(field.getInt(null)).isEmpty());
            constants++;
        }
        assertTrue(constants > 60, "found " + constants);
    }

    @Test
    void agreesWithTheCLibrary() throws IllegalAccessException {
        assumeTrue(TestCalls.errnoName(Errno.EPERM) != null, "this C library has no strerrorname_np");
        for (Field field : Errno.class.getFields()) {
            String expected = TestCalls.errnoName(field.getInt(null));
            // This number has two names.
            assertEquals(expected.equals("ENOTSUP") ? "EOPNOTSUPP" : expected, field.getName());
        }
    }

    @Test
    void unknownNumbersAreNamedByTheirValue() {
        assertEquals("errno 0", Errno.name(0));
        assertEquals("errno -5", Errno.name(-5));
        assertEquals("errno 4095", Errno.name(4095));
        assertEquals("unknown error", Errno.text(4095));
    }

    @Test
    void recognisesExhaustedResources() {
        assertTrue(Errno.isExhausted(Errno.EMFILE));
        assertTrue(Errno.isExhausted(Errno.ENOMEM));
        assertFalse(Errno.isExhausted(Errno.EPERM));
        assertFalse(Errno.isExhausted(4095));
    }
}
