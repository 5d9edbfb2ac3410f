// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class UserNamesTest {
    @Test
    void theUsersOfThisSystemHaveNumbers() throws IOException {
        for (String line : Files.readAllLines(Path.of("/etc/passwd"))) {
            String[] fields = line.split(":", 4);
            assertEquals(Integer.parseUnsignedInt(fields[2]), UserNames.number(fields[0]), line);
        }
    }

    @Test
    void anUnknownUserIsAnError() {
        String message = assertThrows(IOException.class, () -> UserNames.number("nobody-of-that-name"))
                .getMessage();
        assertEquals("there is no user nobody-of-that-name", message);
    }
}
