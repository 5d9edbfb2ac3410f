// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The huge pages of 2 MB that the administrator reserved, from /sys/kernel/mm/hugepages. */
public final class HugePages {
    private static final Path DIRECTORY = Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB");

    private HugePages() {}

    /**
     * The number of available pages.
     *
     * @return pages that are free and not promised to a mapping, 0 where the kernel has no huge pages
     */
    public static long free2M() {
        return Math.max(0, read("free_hugepages") - read("resv_hugepages"));
    }

    /**
     * The number of pages, used or not.
     *
     * @return pages, 0 where the kernel has no huge pages
     */
    public static long total2M() {
        return read("nr_hugepages");
    }

    private static long read(String file) {
        try {
            return Long.parseLong(Files.readString(DIRECTORY.resolve(file)).strip());
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }
}
