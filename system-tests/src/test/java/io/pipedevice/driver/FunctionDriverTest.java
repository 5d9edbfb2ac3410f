// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.FunctionDefinition;
import io.pipedevice.active.Grant;
import io.pipedevice.active.QueuePair;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteRegion;
import io.pipedevice.active.Right;
import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a driver loads for functions, and what its end does to calls. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FunctionDriverTest {
    /** Packages of pd-active. The others are about one-sided operations, too. */
    private static final List<String> VIRTUAL_MACHINE =
            List.of("io.pipedevice.active.bpf.", "io.pipedevice.active.code.", "io.pipedevice.active.message.");

    /** A driver that loads only what it needs. Argument: its directory. */
    static final class Program {
        private Program() {}

        @SuppressWarnings("try")
        public static void main(String[] arguments) throws IOException {
            DriverLog.quiet();
            DriverContext context = new DriverContext().directory(Path.of(arguments[0]));
            try (PipeDeviceDriver driver = PipeDeviceDriver.launch(context)) {
                System.out.println("RUNS");
                System.in.read();
            }
        }
    }

    @Test
    void aDriverLoadsTheVirtualMachineWithTheFirstFunctionAndNotBefore(@TempDir Path directory) throws IOException {
        Path log = directory.resolve("classes");
        Path home = Files.createDirectory(directory.resolve("driver"));
        List<String> flags = List.of("-Xlog:class+load=info:file=" + log);
        try (ChildJvm driver = ChildJvm.start(List.of(), flags, Program.class, home.toString())) {
            driver.expect("RUNS");
            try (Regions regions = Regions.attach(TestDriver.endpoint(home));
                    Region table = regions.register("table", 4096, Grant.anyone(Right.READ));
                    RemoteRegion remote = regions.find("table");
                    QueuePair queue = regions.queuePair()) {
                queue.put(remote, 0, 5);
                assertEquals(5, queue.get(table, 0));
                assertFalse(hasVirtualMachine(log), "loaded without a function");
                regions.register(new FunctionDefinition(
                                "f", 1, FunctionPrograms.ADD.bytes(), FunctionPrograms.MESSAGE, List.of(table), 100))
                        .close();
                TestDriver.await("the virtual machine", () -> hasVirtualMachine(log));
            }
        }
    }

    @Test
    void aDriverOfSocketsAloneRefusesRegionsAndLoadsNoneOfTheirClasses(@TempDir Path directory) throws IOException {
        Path log = directory.resolve("classes");
        Path home = Files.createDirectory(directory.resolve("driver"));
        List<String> flags =
                List.of("-Xlog:class+load=info:file=" + log, "-D" + DriverOption.REGIONS.property() + "=false");
        try (ChildJvm driver = ChildJvm.start(List.of(), flags, Program.class, home.toString())) {
            driver.expect("RUNS");
            ControlEndpoint endpoint = TestDriver.endpoint(home);
            PdException refusal = assertThrows(PdException.class, () -> Regions.attach(endpoint));
            assertEquals(Errno.EOPNOTSUPP, refusal.errno());
            assertTrue(refusal.getMessage().contains("pipedevice.driver.regions is false"), refusal::getMessage);
            try (PipeDevice program = PipeDevice.init(endpoint, new PdOptions());
                    PdSocket listener = program.socket();
                    PdSocket client = program.socket()) {
                listener.bind(TestDriver.loopback(0));
                listener.listen(1);
                client.connect(listener.localAddress());
                try (PdSocket server = listener.accept(TestDriver.PATIENCE_NS)) {
                    assertEquals(listener.localAddress(), server.localAddress());
                }
            }
            String loaded = Files.readString(log);
            for (String unwanted : List.of("io.pipedevice.driver.region.", "io.pipedevice.active.operation.")) {
                assertFalse(loaded.contains(unwanted), unwanted);
            }
        }
    }

    private static boolean hasVirtualMachine(Path log) throws IOException {
        String loaded = Files.readString(log);
        return VIRTUAL_MACHINE.stream().anyMatch(loaded::contains);
    }

    @Test
    void theEndOfADriverIsAnErrorForThoseThatWait(@TempDir Path directory) throws IOException {
        try (ChildJvm driver = DriverProcess.start(directory);
                ChildJvm owner = FunctionProcess.start(directory);
                ChildJvm client = FunctionProcess.start(directory)) {
            CommandedProcess.ask(owner, "region table");
            CommandedProcess.ask(owner, "function add 1 ADD 1000 anyone:c");
            CommandedProcess.ask(owner, "serve 1");
            CommandedProcess.ask(client, "find add");
            assertEquals("0", CommandedProcess.ask(client, "call HOST 1 0"));
            client.send("call DEVICE 1 0 1000000000");
            driver.kill();
            String answer = client.expect("=");
            assertTrue(answer.startsWith("E"), answer);
            assertEquals("0", CommandedProcess.ask(owner, "stop"));
        }
    }
}
