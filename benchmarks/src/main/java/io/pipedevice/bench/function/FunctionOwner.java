// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.active.FunctionServer;
import io.pipedevice.active.Regions;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.samples.function.OwnedFunctions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of the owner of an application: it serves the functions to each of several tenants, who have regions of their own,
 * and the regions of the first one over TCP. It prints READY and the port, and ends with its input. Arguments:
 * {@code owner DIR APPLICATION KEYS TENANTS}.
 */
public final class FunctionOwner {

    private static final int THREADS = 1;

    private FunctionOwner() {}

    /**
     * Runs the process.
     *
     * @param arguments as above
     * @throws IOException if it cannot run
     */
    public static void main(String[] arguments) throws IOException {
        Application application = Application.valueOf(arguments[2]);
        long keys = Long.parseLong(arguments[3]);
        int tenants = Integer.parseInt(arguments[4]);
        try (Regions regions = Regions.attach(DriverDirectory.at(Path.of(arguments[1])), 1, 2)) {
            List<OwnedFunctions> owned = new ArrayList<>();
            for (int tenant = 0; tenant < tenants; tenant++) {
                owned.add(application.register(regions, tenant, keys));
            }
            try (FunctionServer server = regions.serve(THREADS);
                    TcpServer tcp = new TcpServer(application, owned.getFirst().memory())) {
                System.out.println("READY " + tcp.port());
                int last;
                do {
                    last = System.in.read();
                } while (last >= 0);
            }
        }
    }
}
