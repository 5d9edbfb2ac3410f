// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.DriverOption;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.UserPolicy;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class PolicyCommandTest {
    private static final String RULES = """
            containers: {own: {network-namespace: driver}}
            rules:
            - {from: own, same: user, path: device}
            default: kernel
            limits:
            - {of: own, rate: 1 Gbit/s}
            """;

    static {
        DriverLog.quiet();
    }

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final String own = Integer.toString(ProcessFacts.self());

    private int execute(String... arguments) {
        CommandLine line = PipeDeviceCommand.commandLine(List.of());
        return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    private String file(String text) throws IOException {
        return Files.writeString(directory.resolve("policy.yaml"), text).toString();
    }

    private void assertSaid(String... parts) {
        for (String part : parts) {
            assertTrue(out.toString().contains(part), () -> part + " in " + out + err);
        }
    }

    @Test
    void checkPrintsTheParsedRules() throws IOException {
        assertEquals(0, execute("policy", "check", file(RULES)), err::toString);
        assertSaid(
                "  own: network-namespace ",
                "  line 3: from own to any of the same user: device",
                "  line 4: from any to any: kernel",
                "  line 6: of own: 125000000 bytes per second (1.000 Gbit/s), share 1");
    }

    @Test
    void checkOfAnInvalidFileFailsWithTheLine() throws IOException {
        String file = file("default: kernel\nrule: []");
        assertEquals(1, execute("policy", "check", file));
        assertTrue(err.toString().contains(file + ":2: unknown key rule"), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void explainNamesTheLineThatDecides() throws IOException {
        assertEquals(0, execute("policy", "explain", own, own, "--policy", file(RULES)), err::toString);
        assertSaid(
                "client: process " + own,
                "  belongs to         own",
                "  limits             line 6: of own: 125000000 bytes per second",
                "decided by line 3: from own to any of the same user: device",
                "path: device");
    }

    @Test
    void explainReadsThePolicyOfADriver() throws IOException {
        Path home = directory.resolve("driver");
        String file = file(RULES);
        try (PipeDeviceDriver driver =
                PipeDeviceDriver.launch(new DriverContext().directory(home).set(DriverOption.POLICY, file))) {
            assertEquals(0, execute("policy", "explain", own, own, "--dir", home.toString()), () -> driver + " " + err);
            assertSaid("decided by line 3", "path: device");
        }
        out.getBuffer().setLength(0);
        try (PipeDeviceDriver driver =
                PipeDeviceDriver.launch(new DriverContext().directory(home).policy(UserPolicy.SAME_USER))) {
            assertEquals(0, execute("policy", "explain", own, own, "--dir", home.toString()), () -> driver + " " + err);
            assertSaid("path: direct");
        }
        assertEquals(1, execute("policy", "explain", own, own, "--dir", home.toString()));
    }

    @Test
    void whatIsNoContainerIsAFailure() throws IOException {
        String file = file(RULES);
        assertEquals(1, execute("policy", "explain", own, "0123456789abcdef0123", "--policy", file));
        assertTrue(err.toString().contains("no process on this host belongs to a container"), err::toString);
        assertEquals(1, execute("policy", "explain", "shop", own, "--policy", file));
        assertTrue(err.toString().contains("'shop' is neither"), err::toString);
        assertEquals(2, execute("policy", "explain", own, own));
    }

    @Test
    void aPathBesideAFileOfRulesIsRefused(@TempDir Path home) throws IOException {
        String file = file(RULES);
        String dir = home.resolve("driver").toString();
        assertEquals(2, execute("driver", "--dir", dir, "--policy", file, "--path", "device"), err::toString);
        assertTrue(
                err.toString()
                        .contains("pipedevice.driver.path (--path) = device has no effect beside a policy's file, whose"
                                + " rules say the path: leave it out, or write it in " + file),
                err::toString);
    }
}
