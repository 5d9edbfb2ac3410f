// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tomcat with asynchronous channels, only in the full form. */
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class TomcatNio2ProgramsTest extends TomcatProgramsTest {
    @Override
    String connector() {
        return "Nio2";
    }

    @Override
    CompatibilityTable.Row row() {
        return row("Tomcat, NIO2", "NIO2 connector (asynchronous channels)");
    }
}
