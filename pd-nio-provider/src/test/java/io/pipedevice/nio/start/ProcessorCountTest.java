// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessorCountTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"0; true", "3; true", "0-1; false", "0,2; false", "0-3,8-11; false", "''; false"})
    void oneNumberIsOneProcessor(String online, boolean one, @TempDir Path dir) throws IOException {
        assertEquals(one, ProcessorCount.onlyOne(Files.writeString(dir.resolve("online"), online + "\n")));
    }

    @Test
    void whatCannotBeReadIsNotTakenForOne(@TempDir Path dir) {
        assertFalse(ProcessorCount.onlyOne(dir.resolve("absent")));
    }
}
