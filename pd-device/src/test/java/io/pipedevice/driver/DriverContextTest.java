// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.policy.DataPath;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class DriverContextTest {
    private final DriverContext context = new DriverContext();

    private static void refused(String message, Executable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    @Test
    void settersSetTheOptionsOfTheirNames() {
        context.devices("a,b")
                .threading(Threading.SEPARATE)
                .policy(Path.of("some/rules"))
                .path(DataPath.DEVICE)
                .maxProcesses(2)
                .maxSockets(3)
                .maxMemory(5 << 20)
                .totalMemory(6 << 20)
                .rate(7)
                .lanes(8)
                .maxTransfer(9 << 10)
                .queueDepth(16)
                .hugePages(false)
                .regions(false)
                .spinNs(11)
                .lingerNs(12)
                .deviceTimeoutNs(13);
        Iterator<String> texts = List.of(
                        "a,b",
                        "separate",
                        "some/rules",
                        "device",
                        "2",
                        "3",
                        "5m",
                        "6m",
                        "7",
                        "8",
                        "9k",
                        "16",
                        "FALSE",
                        "false",
                        "11ns",
                        "12ns",
                        "13")
                .iterator();
        DriverContext same = new DriverContext();
        for (DriverOption option : DriverOption.values()) {
            same.set(option, texts.next());
        }
        assertEquals(same.toString(), context.toString());
    }

    @Test
    void laterPolicyReplacesAnEarlierOne() {
        context.policy(Path.of("some.rules")).policy(UserPolicy.ANY);
        assertTrue(context.toString().contains(" policy=ANY,"), context::toString);
    }

    @Test
    void settersRefuseValuesOutOfRange() {
        refused("pipedevice.driver.max.sockets = 0; allowed: 1 to 65535", () -> context.maxSockets(0));
        refused("pipedevice.driver.max.memory = 4096; allowed: 4m to 65536g", () -> context.maxMemory(4096));
        refused(
                "pipedevice.driver.queue.depth = 1000; allowed: powers of two from 2 to 64k",
                () -> context.queueDepth(1000));
        refused("pipedevice.driver.spin = -1ns; allowed: 0 to 10s, with ns, us, ms or s", () -> context.spinNs(-1));
    }

    @Test
    void pathHasNoPlaceBesideAFileOfRules() {
        context.policy(Path.of("some.rules")).path(DataPath.DIRECT);
        refused(
                "pipedevice.driver.path (--path) = direct has no effect beside a policy's file, whose rules say the path:"
                        + " leave it out, or write it in some.rules",
                context::readPolicy);
    }
}
