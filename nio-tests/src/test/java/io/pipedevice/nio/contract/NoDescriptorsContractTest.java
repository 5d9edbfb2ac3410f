// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that has no descriptors left gets the exceptions of the JDK, with their messages, from calls that need one.
 * What the JDK does without a descriptor, PipeDevice does, too. With a few descriptors left each call succeeds, or
 * fails as without.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class NoDescriptorsContractTest {
    private static final int LIMIT = 256;

    @Test
    void callsFailAsThoseOfTheJdk() throws IOException {
        Map<String, String> expected = results(NoDescriptorsProgram.JDK);
        Map<String, String> seen = results(NoDescriptorsProgram.PIPEDEVICE);
        assertEquals(expected.keySet(), seen.keySet());
        List<String> wrong = new ArrayList<>();
        seen.forEach((call, result) -> {
            String without = expected.get("0" + call.substring(call.indexOf(' ')));
            if (!result.equals("ok") && !result.equals(without)) {
                wrong.add(call + ": " + result + ", the JDK without descriptors: " + without);
            }
        });
        assertEquals(List.of(), wrong);
    }

    /** The results of all calls, by the number of descriptors that were left and the name of the call. */
    private static Map<String, String> results(String provider) throws IOException {
        List<String> limited = List.of("sh", "-c", "ulimit -n " + LIMIT + "; exec \"$@\"", "sh");
        List<String> flags = new ArrayList<>(ChildJvm.inheritedFlags());
        flags.add("-XX:-MaxFDLimit");
        try (ChildJvm child = ChildJvm.start(limited, flags, NoDescriptorsProgram.class, provider)) {
            child.expect(NoDescriptorsProgram.DONE);
            assertEquals(0, child.awaitEnd(), () -> "it said " + child.said());
            Map<String, String> results = new LinkedHashMap<>();
            for (String line : child.said()) {
                int end = line.indexOf(": ");
                if (end > 0 && Character.isDigit(line.charAt(0))) {
                    results.put(line.substring(0, end), line.substring(end + 2));
                }
            }
            return results;
        }
    }
}
