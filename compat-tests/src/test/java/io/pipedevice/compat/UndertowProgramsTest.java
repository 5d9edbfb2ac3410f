// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.UNDERTOW;

import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Undertow, only in the full form. */
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class UndertowProgramsTest extends WebServers {
    @Override
    JavaCommand server() {
        return JavaCommand.program("UndertowServer", UNDERTOW);
    }

    @Override
    List<String> roots() {
        return List.of("", "/servlet");
    }

    @Override
    CompatibilityTable.Row row() {
        return new CompatibilityTable.Row(
                "Undertow",
                UNDERTOW.version("undertow-core"),
                "asynchronous servlets and handlers of its own, HTTP/1.1 and HTTP/2, connections long and short",
                "MB/s",
                "-");
    }
}
