// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.Together;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessorTest {
    /** The index, after the name in parentheses, of the field of /proc/PID/stat that has the last processor. */
    private static final int PROCESSOR = 36;

    private static int asTheKernelSays() throws Exception {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[PROCESSOR]);
    }

    @Test
    void eachThreadReadsTheProcessorItRunsOn() throws Exception {
        Together.run(thread -> {
            int before;
            int said;
            int after;
            do {
                before = asTheKernelSays();
                said = Processor.current();
                after = asTheKernelSays();
                // The kernel may move the thread between any two of these calls.
            } while (before != said || said != after);
            assertTrue(said >= 0);
        });
    }
}
