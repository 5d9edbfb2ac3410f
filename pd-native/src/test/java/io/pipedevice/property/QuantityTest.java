// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "65535, 65535", "64k, 65536", "64K, 65536", "' 3m ', 3145728", "2G, 2147483648", "-1k, -1024"})
    void sizesHaveTheUnitsKMAndG(String text, long size) {
        assertEquals(size, Quantity.size(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "k", "much", "1t", "1 k", "1.5m", "0x10", "9223372036854775808", "9999999999999g"})
    void anythingElseIsNoSize(String text) {
        assertThrows(NumberFormatException.class, () -> Quantity.size(text));
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "1023", "1k", "1025", "64k", "4m", "1536k", "65536g"})
    void aSizeIsWrittenInItsLargestUnit(String text) {
        assertEquals(text, Quantity.ofSize(Quantity.size(text)));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "7, 7", "7ns, 7", "20us, 20000", "5MS, 5000000", "' 10s ', 10000000000", "-1s, -1000000000"})
    void durationsAreInNanosecondsOrHaveAUnit(String text, long nanos) {
        assertEquals(nanos, Quantity.durationNanos(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "ns", "1m", "1h", "1 s", "0.5s", "9223372037s"})
    void anythingElseIsNoDuration(String text) {
        assertThrows(NumberFormatException.class, () -> Quantity.durationNanos(text));
    }
}
