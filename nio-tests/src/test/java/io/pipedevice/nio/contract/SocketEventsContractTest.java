// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The flight recorder has the same events of sockets and channels as with the JDK, on the kernel and on rings: each
 * read and each write once, with its bytes, its timeout and the other end's address.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SocketEventsContractTest {
    @ParameterizedTest
    @ValueSource(strings = {SocketEventsProgram.ON_KERNEL, SocketEventsProgram.ON_RINGS})
    void eachReadAndWriteIsRecordedOnce(String mode) throws IOException {
        List<String> expected = events(SocketEventsProgram.JDK);
        assertFalse(expected.isEmpty());
        assertEquals(String.join("\n", expected), String.join("\n", events(mode)));
    }

    private static List<String> events(String provider) throws IOException {
        List<String> flags = new ArrayList<>(ChildJvm.inheritedFlags());
        // As the agent exports it.
        flags.add("--add-exports=java.base/jdk.internal.access=ALL-UNNAMED");
        try (ChildJvm child = ChildJvm.start(List.of(), flags, SocketEventsProgram.class, provider)) {
            child.expect(SocketEventsProgram.DONE);
            assertEquals(0, child.awaitEnd(), () -> "it said " + child.said());
            return child.said().stream()
                    .filter(line -> line.contains(": jdk.Socket"))
                    .filter(line -> OlderJdk.RECORDS_ADAPTORS || !line.startsWith(SocketEventsProgram.ADAPTOR))
                    .toList();
        }
    }
}
