// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.function;

import io.pipedevice.active.FunctionServer;
import io.pipedevice.active.Regions;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Option;

/** The options of commands that own functions, and how they wait for calls. */
public final class OwnerOptions {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);

    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "The driver's directory.")
    private Path directory;

    @Option(
            names = "--keys",
            defaultValue = "1000000",
            paramLabel = "N",
            description = "The number of keys (default: ${DEFAULT-VALUE}).")
    private long keys;

    /** Creates the options; picocli does. */
    public OwnerOptions() {}

    /**
     * The number of keys.
     *
     * @return as the command line says
     */
    public long keys() {
        return keys;
    }

    /**
     * Attaches to the driver.
     *
     * @return the attachment, for the caller to close
     * @throws PdException if there is none
     */
    public Regions attach() throws PdException {
        return Regions.attach(DriverDirectory.at(directory), 1, 2);
    }

    /**
     * Serves calls until this process or the driver ends.
     *
     * @param regions the attachment
     * @param what is ready, for a person
     * @param out where it is said
     * @throws IOException if calls cannot be served, or the driver has ended
     */
    public void serve(Regions regions, String what, PrintWriter out) throws IOException {
        FunctionServer server = regions.serve(1);
        try {
            out.println("owner: " + what);
            out.flush();
            while (regions.isServed()) {
                LockSupport.parkNanos(LOOK_NS);
            }
        } finally {
            server.close();
        }
        throw new IOException("the driver has ended");
    }
}
