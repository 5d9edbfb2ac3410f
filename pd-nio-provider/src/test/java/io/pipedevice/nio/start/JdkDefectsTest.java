// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdkDefectsTest {
    @ParameterizedTest
    @CsvSource({
        "25, true, true, JDK-8377811 JDK-8380060",
        "25.0.2, false, true, JDK-8377811",
        "25.0.2, true, false, JDK-8380060",
        "25.0.3, true, true, JDK-8380060",
        "25.0.3, false, true, ''",
        "26, true, true, ''",
        "24.0.2, true, true, ''"
    })
    void eachIsNamedForTheVersionsAndFlagsThatHaveIt(
            String version, boolean compact, boolean g1, String expected, @TempDir Path process) throws IOException {
        Path thread = Files.createDirectories(process.resolve("task/7"));
        Files.writeString(thread.resolve("comm"), g1 ? "G1 Service\n" : "main\n");
        List<String> found = JdkDefects.of(Runtime.Version.parse(version), compact, process);
        assertEquals(
                expected,
                String.join(
                        " ",
                        found.stream()
                                .map(each -> each.substring(each.indexOf("JDK-"), each.indexOf(')')))
                                .toList()));
    }

    @Test
    void thisJvmIsSeenAsItIs() {
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        boolean compact =
                isOn(jvm, "UseCompactObjectHeaders") && Runtime.version().feature() == 25;
        assertEquals(compact, JdkDefects.ofThisJvm().toString().contains("JDK-8380060"));
        assertEquals(isOn(jvm, "UseG1GC"), JdkDefects.usesG1(Path.of("/proc/self")));
    }

    private static boolean isOn(HotSpotDiagnosticMXBean jvm, String flag) {
        return jvm.getVMOption(flag).getValue().equals("true");
    }
}
