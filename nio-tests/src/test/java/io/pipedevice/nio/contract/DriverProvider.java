// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.nio.PipeDeviceSelectorProvider;
import io.pipedevice.test.TestFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Drivers that run in this JVM until it ends, and providers whose rings come from them. */
enum DriverProvider {
    /** The driver introduces the two ends. */
    DIRECT(DataPath.DIRECT),
    /** Its device copies. */
    DEVICE(DataPath.DEVICE);

    private static final String PROPERTY = "pipedevice.driver";

    private final DataPath path;

    DriverProvider(DataPath path) {
        this.path = path;
    }

    /** Made when first used, as the next one. */
    private static final class Direct {
        static final Path DIRECTORY = launch(DataPath.DIRECT);
        static final SelectorProvider PROVIDER = attached(DIRECTORY.toString());
    }

    private static final class Device {
        static final Path DIRECTORY = launch(DataPath.DEVICE);
        static final SelectorProvider PROVIDER = attached(DIRECTORY.toString());
    }

    SelectorProvider get() {
        return path == DataPath.DIRECT ? Direct.PROVIDER : Device.PROVIDER;
    }

    /** The directory of the driver. */
    String directory() {
        return (path == DataPath.DIRECT ? Direct.DIRECTORY : Device.DIRECTORY).toString();
    }

    /** A provider that uses a driver. */
    static SelectorProvider attached(String directory) {
        System.setProperty(PROPERTY, directory);
        try {
            return new PipeDeviceSelectorProvider();
        } finally {
            System.clearProperty(PROPERTY);
        }
    }

    private static Path launch(DataPath path) {
        try {
            Path directory = Files.createTempDirectory("pd-contract");
            PipeDeviceDriver driver = launch(directory, path);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(driver, directory), "end of the driver"));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PipeDeviceDriver launch(Path directory, DataPath path) {
        FutureTask<PipeDeviceDriver> launching = new FutureTask<>(new Launch(directory, path));
        // A daemon, so that the driver's threads are daemons too, and the JVM can end.
        Thread.ofPlatform().daemon().start(launching);
        try {
            return launching.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A class of its own. A lambda of the outer class would wait for the end of that class's initialisation. */
    private record Launch(Path directory, DataPath path) implements Callable<PipeDeviceDriver> {
        @Override
        public PipeDeviceDriver call() throws IOException {
            return PipeDeviceDriver.launch(
                    new DriverContext().directory(directory).path(path));
        }
    }

    private static void end(PipeDeviceDriver driver, Path directory) {
        driver.close();
        try {
            TestFiles.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
