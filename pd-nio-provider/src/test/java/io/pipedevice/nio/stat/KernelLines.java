// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Collects the lines of the log about connections that stay on the kernel, during each test. */
public final class KernelLines implements BeforeEachCallback, AfterEachCallback {
    private static final Logger LOGGER = Logger.getLogger("io.pipedevice");

    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void beforeEach(ExtensionContext context) {
        lines.clear();
        KernelLog.start();
        LOGGER.setLevel(Level.FINE);
        LOGGER.setFilter(line -> {
            if (line.getMessage().contains("stays on the kernel")) {
                lines.add(line.getMessage());
            }
            return false;
        });
    }

    @Override
    public void afterEach(ExtensionContext context) {
        LOGGER.setFilter(null);
        LOGGER.setLevel(null);
    }

    /** The lines until now. */
    public List<String> lines() {
        return lines;
    }
}
