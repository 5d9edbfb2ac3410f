// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How many processors this machine has, all of them: those that this process may use are no measure of its peers'. */
final class Processors {
    /** Ranges of numbers: 0, 0-7 or 0,2-3; sysfs-devices-system-cpu of the kernel's documentation. */
    private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

    private Processors() {}

    /** Whether there is one, where both ends of a connection share it with the compilers of both. False if unknown. */
    static boolean onlyOne() {
        return onlyOne(ONLINE);
    }

    static boolean onlyOne(Path online) {
        try {
            String ranges = Files.readString(online).strip();
            return isNumber(ranges);
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Without a stream, whose classes a JVM would load as it starts. */
    private static boolean isNumber(String text) {
        boolean digits = !text.isEmpty();
        for (int i = 0; i < text.length(); i++) {
            digits &= Character.isDigit(text.charAt(i));
        }
        return digits;
    }
}
