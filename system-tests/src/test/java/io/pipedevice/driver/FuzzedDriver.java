// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.lib.PipeDevice;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import io.pipedevice.test.Heap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A driver as a process of its own, which ends with its input. Its policy gives connections from one address the path
 * through its device. Argument: its directory. Prints RUNS, and answers each line of its input with the HEAP that it
 * uses, in KB.
 */
final class FuzzedDriver {
    private FuzzedDriver() {}

    /** Starts a driver, which runs when this returns. */
    static ChildJvm start(List<String> wrapper, Path directory, List<String> flags) throws IOException {
        ChildJvm driver = ChildJvm.start(wrapper, flags, FuzzedDriver.class, directory.toString());
        try {
            driver.expect("RUNS");
            return driver;
        } catch (IOException e) {
            driver.close();
            throw e;
        }
    }

    @SuppressWarnings("try")
    public static void main(String[] arguments) throws IOException {
        DriverLog.quiet();
        LoadedClasses.loadAll(PipeDevice.class, "io/pipedevice/(linux|memory|property|protocol|queue)/[^-]*\\.class");
        LoadedClasses.loadAll(PipeDeviceDriver.class, "io/pipedevice/(driver|device)/.*\\.class");
        Path directory = Path.of(arguments[0]);
        Path policy = Files.writeString(
                directory.resolve("policy.yaml"),
                "containers: {near: {address: " + IntroductionFuzz.BY_DEVICE.getHostAddress() + "}}\n"
                        + "rules: [{from: near, path: device}]\ndefault: direct\n");
        try (PipeDeviceDriver driver =
                PipeDeviceDriver.launch(new DriverContext().directory(directory).policy(policy))) {
            System.out.println("RUNS");
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (input.readLine() != null) {
                System.out.println("HEAP " + Heap.usedKb());
            }
        }
    }
}
