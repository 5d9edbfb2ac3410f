// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import io.pipedevice.bench.HelperProcess;
import io.pipedevice.bench.region.RegionHelper;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.policy.DataPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A driver process, the process of an owner, and this process as the client. Used by one thread. */
final class FunctionSite implements AutoCloseable {
    /** Calls that a client has under way at most, if its part does not need more. */
    static final int SLOTS = 128;

    /** The same for all parts. */
    static final int MOST_SLOTS = 256;

    private static final int QUEUES = 8;

    private final Application application;
    private final Path directory;
    private final HelperProcess driver;
    private final HelperProcess owner;
    private final Regions regions;
    private final List<RemoteFunction> functions = new ArrayList<>();

    private FunctionSite(
            Application application, Path directory, HelperProcess driver, HelperProcess owner, Regions regions) {
        this.application = application;
        this.directory = directory;
        this.driver = driver;
        this.owner = owner;
        this.regions = regions;
    }

    /** Whether a driver without work sleeps soon, or hardly ever, as the processor of a SmartNIC. */
    enum Idle {
        SLEEPS(50_000),
        SPINS(10_000_000_000L);

        private final long spinNs;

        Idle(long spinNs) {
            this.spinNs = spinNs;
        }
    }

    /** Starts the processes; the owner has filled its regions when this returns. */
    static FunctionSite start(Application application, long keys, int tenants, DataPath path, Idle idle)
            throws IOException {
        Path directory = Files.createTempDirectory("pd-bench");
        HelperProcess driver = null;
        HelperProcess owner = null;
        Regions regions = null;
        try {
            driver = HelperProcess.start(
                    RegionHelper.class, "driver", directory.toString(), Long.toString(idle.spinNs), "0", path.name());
            owner = HelperProcess.start(
                    FunctionOwner.class,
                    "owner",
                    directory.toString(),
                    application.name(),
                    Long.toString(keys),
                    Integer.toString(tenants));
            regions = Regions.attach(DriverDirectory.at(directory), QUEUES, MOST_SLOTS);
            FunctionSite site = new FunctionSite(application, directory, driver, owner, regions);
            for (int tenant = 0; tenant < tenants; tenant++) {
                for (String name : application.functions(tenant)) {
                    site.functions.add(regions.findFunction(name));
                }
            }
            return site;
        } catch (IOException | RuntimeException | Error e) {
            end(regions, owner, driver, directory);
            throw e;
        }
    }

    /** A way to call the functions: those of all tenants, one tenant after the other. */
    Port port(FunctionPlace place, int slots) throws IOException {
        return place == FunctionPlace.TCP
                ? new TcpPort(Integer.parseInt(owner.said()), application.messageLength(), slots)
                : new ActivePort(regions, functions, place, slots);
    }

    HelperProcess driver() {
        return driver;
    }

    HelperProcess owner() {
        return owner;
    }

    @Override
    public void close() throws IOException {
        functions.forEach(RemoteFunction::close);
        end(regions, owner, driver, directory);
    }

    private static void end(Regions regions, HelperProcess owner, HelperProcess driver, Path directory)
            throws IOException {
        if (regions != null) {
            regions.close();
        }
        if (owner != null) {
            owner.close();
        }
        if (driver != null) {
            driver.close();
        }
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(directory);
    }
}
