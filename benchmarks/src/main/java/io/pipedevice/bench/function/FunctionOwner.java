// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.active.FunctionDefinition;
import io.pipedevice.active.Grant;
import io.pipedevice.active.Region;
import io.pipedevice.active.Regions;
import io.pipedevice.active.Right;
import io.pipedevice.client.DriverDirectory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The process of the owner of an application: it serves the functions to each of several tenants, who have regions of their own,
 * and the regions of the first one over TCP. It prints READY and the port, and ends with its input. Arguments:
 * {@code owner DIR APPLICATION KEYS TENANTS}.
 */
public final class FunctionOwner {

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
            List<MemorySegment> first = new ArrayList<>();
            for (int tenant = 0; tenant < tenants; tenant++) {
                List<Region> own = register(regions, application, keys, tenant);
                if (tenant == 0) {
                    own.forEach(region -> first.add(region.memory()));
                }
            }
            try (TcpServer tcp = new TcpServer(application, first)) {
                System.out.println("READY " + tcp.port());
                int last;
                do {
                    last = System.in.read();
                } while (last >= 0);
            }
        }
    }

    private static List<Region> register(Regions regions, Application application, long keys, int tenant)
            throws IOException {
        List<Region> own = new ArrayList<>();
        for (long size : application.sizes(keys)) {
            Region region = regions.register(size);
            region.grant(Grant.anyone(Right.READ, Right.WRITE, Right.ATOMIC));
            own.add(region);
        }
        application.fill(own.stream().map(Region::memory).toList(), keys);
        for (ServedFunction each : application.functions()) {
            regions.register(
                    new FunctionDefinition(
                            name(each, tenant), 1, each.object(), each.symbol(), each.length(), own, each.fuel()),
                    Grant.anyone(Right.CALL));
        }
        return own;
    }

    /** The name of the function of a tenant. */
    static String name(ServedFunction function, int tenant) {
        return String.format(Locale.ROOT, "%s.%d", function.name(), tenant);
    }
}
