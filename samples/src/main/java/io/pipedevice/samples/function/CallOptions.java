// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.function;

import io.pipedevice.active.Place;
import io.pipedevice.active.Regions;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of commands that call functions. */
public final class CallOptions {
    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "The driver's directory.")
    private Path directory;

    @Option(
            names = "--place",
            defaultValue = "AUTO",
            paramLabel = "PLACE",
            description = "Where the function runs: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Place place;

    /** Creates the options; picocli does. */
    public CallOptions() {}

    /**
     * Attaches to the driver.
     *
     * @return the attachment, for the caller to close
     * @throws PdException if there is none
     */
    public Regions attach() throws PdException {
        return Regions.attach(DriverDirectory.at(directory));
    }

    /**
     * Where the function runs.
     *
     * @return as the command line says
     */
    public Place place() {
        return place;
    }
}
