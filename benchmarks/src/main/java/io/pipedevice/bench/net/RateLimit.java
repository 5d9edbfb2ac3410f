// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The policy of a driver that limits the rate of all programs. */
final class RateLimit {
    private static final String PATH = "-Dpipedevice.driver.path=";
    private static final String POLICY = "-Dpipedevice.driver.policy=";
    private static final String DIRECT = "direct";

    private RateLimit() {}

    /**
     * The flags of a driver with a limit. The rules of a policy's file say the path, so the flag of the path becomes a
     * rule.
     *
     * @param flags of the driver without it
     * @param gigabits per second; 0 for none
     * @param directory for the policy's file
     */
    static List<String> flags(List<String> flags, int gigabits, Path directory) throws IOException {
        if (gigabits == 0) {
            return flags;
        }
        String path = DIRECT;
        List<String> limited = new ArrayList<>();
        for (String flag : flags) {
            if (flag.startsWith(PATH)) {
                path = flag.substring(PATH.length());
            } else {
                limited.add(flag);
            }
        }
        Path policy = directory.resolve("policy.yaml");
        Files.writeString(policy, String.format(Locale.ROOT, """
                rules:
                  - same: user
                    path: %s
                default: kernel
                limits:
                  - of: any
                    rate: %d Gbit/s
                """, path, gigabits));
        limited.add(POLICY + policy);
        return limited;
    }
}
