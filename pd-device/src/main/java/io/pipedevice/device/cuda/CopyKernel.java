// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The text of the kernel, {@code copy_lane.ptx}, which a GPU's driver compiles. */
final class CopyKernel {
    /** Name of the entry. */
    static final String ENTRY = "copy_lane";

    /** Threads of its block. */
    static final int THREADS = 1024;

    private static final String FILE = ENTRY + ".ptx";
    private static final String FOR = "//for i ";
    private static final String END = "//end";

    private CopyKernel() {}

    /** The text, with the lines between {@code //for i N} and {@code //end} repeated N times. */
    static String text() {
        try (InputStream in = CopyKernel.class.getResourceAsStream(FILE)) {
            return expand(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String expand(String template) {
        StringBuilder result = new StringBuilder();
        StringBuilder repeated = new StringBuilder();
        int times = 0;
        for (String line : template.lines().toList()) {
            if (line.startsWith(FOR)) {
                times = Integer.parseInt(line.substring(FOR.length()));
            } else if (line.equals(END)) {
                for (int i = 0; i < times; i++) {
                    result.append(repeated.toString()
                            .replace("{i}", Integer.toString(i))
                            .replace("{i+1}", Integer.toString(i + 1)));
                }
                repeated.setLength(0);
                times = 0;
            } else {
                (times > 0 ? repeated : result).append(line).append('\n');
            }
        }
        return result.toString();
    }
}
