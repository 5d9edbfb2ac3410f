// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.region;

import io.pipedevice.active.Grant;
import io.pipedevice.active.Regions;
import io.pipedevice.active.Right;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.policy.DataPath;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The process of the driver, or of the owner of a region, which sleeps. It prints READY, and ends with its input.
 * Arguments: {@code driver DIR SPIN_NS RATE PATH} or {@code owner DIR SIZE}.
 */
public final class RegionHelper {
    /** Name of the owner's region. */
    static final String NAME = "bench";

    private RegionHelper() {}

    /**
     * Runs the process.
     *
     * @param arguments as above
     * @throws IOException if it cannot run
     */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[1]);
        long number = Long.parseLong(arguments[2]);
        if (arguments[0].equals("driver")) {
            DriverContext context = new DriverContext()
                    .directory(directory)
                    .path(DataPath.valueOf(arguments[4]))
                    .spinNs(number)
                    .rate(Long.parseLong(arguments[3]));
            try (PipeDeviceDriver driver = PipeDeviceDriver.launch(context)) {
                waitForEnd(driver);
            }
        } else {
            try (Regions regions = Regions.attach(DriverDirectory.at(directory), 1, 2);
                    AutoCloseable region =
                            regions.register(NAME, number, Grant.anyone(Right.READ, Right.WRITE, Right.ATOMIC))) {
                waitForEnd(region);
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    private static void waitForEnd(Object running) throws IOException {
        System.out.println("READY " + running);
        int last;
        do {
            last = System.in.read();
        } while (last >= 0);
    }
}
