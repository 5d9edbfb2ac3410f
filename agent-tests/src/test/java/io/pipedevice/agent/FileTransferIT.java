// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.program.TransferProgram;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the agent lets files be transferred. */
@Timeout(480)
class FileTransferIT {
    private static final String AGENT = "-javaagent:" + Jvm.AGENT_JAR;
    private static final String EXPORT = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";
    private static final List<String> BY_KERNEL = List.of("by the kernel", "ClosedByInterruptException false false");
    private static final List<String> BY_COPIES = List.of("by copies", "ClosedByInterruptException false false");

    private static Jvm.Result run(List<String> flags, String... args) throws Exception {
        List<String> command = new ArrayList<>(flags);
        command.addAll(List.of(
                "-Dpipedevice.enabled=true",
                "-cp",
                "target/test-classes:" + Jvm.AGENT_JAR,
                TransferProgram.class.getName()));
        command.addAll(List.of(args));
        return Jvm.java(command.toArray(String[]::new)).run();
    }

    private static Jvm.Result quiet(List<String> out) {
        return new Jvm.Result(0, out, List.of());
    }

    @Test
    void toAConnectionOnTheKernelTheKernelTransfers() throws Exception {
        assertEquals(quiet(BY_KERNEL), run(List.of(EXPORT)), "without PipeDevice");
        assertEquals(quiet(BY_KERNEL), run(List.of(AGENT)));
        assertEquals(quiet(BY_KERNEL), run(List.of(AGENT, AGENT, "-Xverify:all")), "an agent that is named twice");
    }

    @Test
    void toRingsAnInterruptedTransferClosesBoth() throws Exception {
        assertEquals(quiet(BY_COPIES), run(List.of(AGENT), "rings"));
    }
}
