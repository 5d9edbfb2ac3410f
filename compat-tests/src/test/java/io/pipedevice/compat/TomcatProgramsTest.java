// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.TOMCAT;

import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tomcat, only in the full form. */
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
class TomcatProgramsTest extends WebServers {
    @TempDir
    private Path directory;

    @Override
    JavaCommand server() {
        return JavaCommand.program("TomcatServer", TOMCAT, "directory=" + directory, "connector=" + connector());
    }

    /** As the program names it. */
    String connector() {
        return "Nio";
    }

    @Override
    CompatibilityTable.Row row() {
        return row("Tomcat", "NIO connector");
    }

    final CompatibilityTable.Row row(String name, String connector) {
        return new CompatibilityTable.Row(
                name,
                TOMCAT.version("tomcat-embed-core"),
                connector + ", asynchronous servlets, HTTP/1.1 and HTTP/2, connections long and short",
                "MB/s",
                "-");
    }
}
