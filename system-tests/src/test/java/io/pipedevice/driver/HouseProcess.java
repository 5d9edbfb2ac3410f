// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.client.DriverDirectory;
import java.io.IOException;
import java.nio.file.Path;

/** A process that runs an {@link OpenHouse} until its input ends. Argument: the driver's directory. Prints its PORT. */
final class HouseProcess {
    private HouseProcess() {}

    public static void main(String[] arguments) throws IOException {
        try (OpenHouse house = new OpenHouse(DriverDirectory.at(Path.of(arguments[0])))) {
            System.out.println("PORT " + house.port());
            System.in.read();
        }
    }
}
