// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(120)
class NetCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new NetCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void valuesOutOfRangeAreUsageErrorsThatNameTheOption() {
        String[][] wrong = {
            {"--rows", "stream-63"},
            {"--rows", "strea"},
            {"--runs", "0"},
            {"--seconds", "0.01"},
            {"--seconds", "NaN"},
            {"--transports", "udp"},
            {"--connections", "10"}
        };
        for (String[] option : wrong) {
            err.getBuffer().setLength(0);
            assertEquals(CommandLine.ExitCode.USAGE, run("--no-namespace", option[0], option[1]));
            assertTrue(err.toString().contains(option[0]), err::toString);
        }
    }

    @Test
    void rowsAreNamedOneByOneOrByTheirBeginning() {
        assertEquals(List.of(Row.STREAM_64), Row.named("stream-64", NetCommand.ROWS));
        assertEquals(9, Row.named("stream", NetCommand.ROWS).size());
        assertEquals(List.of(Row.BUSY), Row.named("busy", NetCommand.ROWS));
    }

    @Test
    void jvmsThatEndSoonAndConnectionsInTurnAreMeasured(@TempDir Path directory) throws Exception {
        int exit = run(
                "--no-namespace",
                "--warm-up=0.1",
                "--transports=tcp",
                "--rows=rotating-few,first-seconds,start-up",
                "--runs=1",
                "--seconds=0.1",
                "--connections=120",
                "--output=" + directory);
        assertEquals(0, exit, () -> err + "\n" + out);
        String text = out.toString();
        assertTrue(text.matches("(?s).*\nrotating-few, java.nio, kernel TCP( +[0-9.,]+){3}\n.*"), text);
        assertTrue(text.matches("(?s).*1st.*\njava.nio, kernel TCP( +[0-9,]+){6}\n.*"), text);
        assertEquals(List.of(), ProcessHandle.current().children().toList());
    }

    @Test
    void socketsOfJavaNetMoveBufferedStreamsAndAnswersOfVirtualThreads(@TempDir Path directory) throws Exception {
        int exit = run(
                "--no-namespace",
                "--warm-up=0.1",
                "--transports=socket_tcp",
                "--rows=stream-64-buffered,ping-pong-virtual,connect",
                "--runs=1",
                "--seconds=0.1",
                "--output=" + directory);
        assertEquals(0, exit, () -> err + "\n" + out);
        String text = out.toString();
        assertTrue(text.matches("(?s).*64 B buffered\njava.net, kernel TCP +[0-9.]+\n.*"), text);
        assertTrue(text.matches("(?s).*ping-pong-virtual, java.net, kernel TCP( +[0-9.,]+){3}\n.*"), text);
        assertTrue(text.matches("(?s).*connect, java.net, kernel TCP( +[0-9.,]+){3}\n.*"), text);
    }

    @Test
    void twoProcessesMoveAStreamAndTheReportIsPrintedAndWritten(@TempDir Path directory) throws Exception {
        int exit = run(
                "--no-namespace",
                "--warm-up=0.1",
                "--transports=tcp",
                "--rows=stream-1k",
                "--runs=1",
                "--seconds=0.1",
                "--output=" + directory);
        assertEquals(0, exit, () -> err + "\n" + out);
        String text = out.toString();
        assertTrue(text.matches("(?s).*java.nio, kernel TCP +[0-9.]+\n.*"), text);
        assertFalse(text.contains("FAILED"), text);
        assertEquals(text, Files.readString(directory.resolve("net.txt")));
        assertTrue(Files.readString(directory.resolve("net.html")).contains("<polyline"));
        assertEquals(List.of(), ProcessHandle.current().children().toList());
    }
}
