// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells whether this machine has one processor. All processors of the machine count, because the peers of this process
 * may use others than it does.
 */
final class ProcessorCount {
    /** Ranges of numbers, such as 0, 0-7 or 0,2-3; see sysfs-devices-system-cpu in the kernel's documentation. */
    private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

    private ProcessorCount() {}

    /**
     * Whether the machine has only one processor, which both ends of a connection then share with the compilers of both
     * JVMs. False if unknown.
     */
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

    /** Does not use a stream, because a JVM would load its classes as it starts. */
    private static boolean isNumber(String text) {
        boolean digits = !text.isEmpty();
        for (int i = 0; i < text.length(); i++) {
            digits &= Character.isDigit(text.charAt(i));
        }
        return digits;
    }
}
