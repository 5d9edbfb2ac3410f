// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.stat.JvmStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** There is a finding for a program whose writes often find no room, and none for one whose writes seldom do. */
class FullRingsTest {
    private static final long PID = ProcessHandle.current().pid();

    private static final long BUDGET = 50 << 20;

    @TempDir
    private Path dir;

    private List<Finding> findings(long cut, long waited, long sent) throws IOException {
        return findings(cut, waited, sent, 0);
    }

    private List<Finding> findings(long cut, long waited, long sent, long refused) throws IOException {
        Files.writeString(dir.resolve("environ"), "");
        Files.writeString(dir.resolve("cmdline"), "java\0Main\0");
        JvmStat stat = new JvmStat(
                (int) PID,
                PID,
                "Main",
                Instant.EPOCH,
                1,
                0,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                BUDGET,
                refused,
                cut,
                waited,
                sent,
                0,
                Map.of(),
                List.of(),
                "",
                List.of());
        JvmFacts jvm = new JvmFacts(
                PID,
                "0",
                new JvmOptions(dir, Path.of("/"), dir),
                "25",
                Set.of(),
                stat,
                false,
                new TcpTable(List.of(), List.of()),
                Set.of(),
                false,
                false);
        Examination.Result result = Examination.of(jvm, false);
        assertEquals(Examination.Condition.ACCELERATED, result.condition());
        return result.findings().stream()
                .filter(finding ->
                        finding.code().equals("full-rings") || finding.code().equals("ring-memory"))
                .toList();
    }

    @Test
    void manyWritesThatAreCutShortAreReported() throws IOException {
        List<Finding> findings = findings(1000, 0, 64 << 20);
        assertEquals(1, findings.size());
        assertEquals(Finding.Level.NOTE, findings.getFirst().level());
        String text = findings.getFirst().text();
        assertTrue(text.startsWith("1000 non-blocking writes found a ring full, one for each 65 KB sent"), text);
    }

    @Test
    void fewWritesThatAreCutShortAreNotReported() throws IOException {
        assertEquals(List.of(), findings(0, 0, 0));
        assertEquals(List.of(), findings(10, 0, 1000));
        assertEquals(List.of(), findings(1000, 0, 1L << 40));
    }

    @Test
    void ringsThatDidNotGrowAreReportedWithTheProperty() throws IOException {
        List<Finding> findings = findings(0, 0, 0, 7);
        assertEquals(1, findings.size());
        assertEquals("ring-memory", findings.getFirst().code());
        String text = findings.getFirst().text();
        assertTrue(text.startsWith("7 times a ring did not grow"), text);
        assertTrue(text.contains("may have 50 MB") && text.endsWith("-Dpipedevice.rings.max=25%"), text);
    }

    /** A slower reader holds up a waiting writer, as it should. */
    @Test
    void writesThatWaitAreNotReported() throws IOException {
        assertEquals(List.of(), findings(0, 1_000_000, 64 << 20));
    }
}
