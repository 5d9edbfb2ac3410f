// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.active.Regions;
import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.samples.function.OwnedFunctions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of the owner of an application: it serves the functions to each of several tenants, which have regions of
 * their own, and the regions of the first one over TCP. It prints READY and the port, and ends with its input.
 * Arguments: {@code owner DIR APPLICATION KEYS TENANTS}.
 */
public final class FunctionOwner {

    private static final int THREADS = 1;

    /** An attachment has at most 64 functions. */
    private static final int TENANTS_OF_ATTACHMENT = 32;

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
        ControlEndpoint driver = DriverDirectory.at(Path.of(arguments[1]));
        List<AutoCloseable> open = new ArrayList<>();
        try {
            OwnedFunctions first = null;
            for (int tenant = 0; tenant < tenants; tenant += TENANTS_OF_ATTACHMENT) {
                Regions regions = Regions.attach(driver, 1, 2);
                open.add(regions);
                for (int i = tenant; i < Math.min(tenants, tenant + TENANTS_OF_ATTACHMENT); i++) {
                    OwnedFunctions owned = application.register(regions, i, keys);
                    open.add(owned);
                    first = first == null ? owned : first;
                }
                open.add(regions.serve(THREADS));
            }
            TcpServer tcp = new TcpServer(application, first.memory());
            open.add(tcp);
            System.out.println("READY " + tcp.port());
            int last;
            do {
                last = System.in.read();
            } while (last >= 0);
        } finally {
            close(open.reversed());
        }
    }

    private static void close(List<AutoCloseable> open) throws IOException {
        for (AutoCloseable each : open) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IOException(each + " was not closed", e);
            }
        }
    }
}
