// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.lib.PipeDevice;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A driver as a separate process, which ends with its input. Argument: its directory. Prints RUNS. */
public final class DriverProcess {
    private DriverProcess() {}

    /** Starts a driver, which runs when this returns. {@code flags} may set its properties. */
    public static ChildJvm start(Path directory, String... flags) throws IOException {
        return start(List.of(), directory, flags);
    }

    /** Starts a driver by a command, such as one that takes it into a control group. */
    static ChildJvm start(List<String> wrapper, Path directory, String... flags) throws IOException {
        ChildJvm driver = ChildJvm.start(wrapper, List.of(flags), DriverProcess.class, directory.toString());
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
        DriverContext context = new DriverContext().directory(Path.of(arguments[0]));
        if (arguments.length > 1) {
            context.descriptorShare(Integer.parseInt(arguments[1]));
        }
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(context)) {
            System.out.println("RUNS");
            System.in.read();
        }
    }
}
