// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.nio.PipeDeviceSelectorProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/** A provider whose rings come from a driver, which runs in this JVM until the JVM ends. */
final class DriverProvider {
    private static final Path DIRECTORY = launch();

    static final SelectorProvider INSTANCE = attached(directory());

    private static final String PROPERTY = "pipedevice.driver";

    private DriverProvider() {}

    /** The directory of the driver. */
    static String directory() {
        return DIRECTORY.toString();
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

    private static Path launch() {
        try {
            Path directory = Files.createTempDirectory("pd-contract");
            PipeDeviceDriver driver = launch(directory);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(driver, directory), "end of the driver"));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PipeDeviceDriver launch(Path directory) {
        FutureTask<PipeDeviceDriver> launching = new FutureTask<>(new Launch(directory));
        // A daemon, so that the driver's threads are daemons too, and the JVM can end.
        Thread.ofPlatform().daemon().start(launching);
        try {
            return launching.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A class of its own. A lambda of the outer class would wait for the end of that class's initialisation. */
    private record Launch(Path directory) implements Callable<PipeDeviceDriver> {
        @Override
        public PipeDeviceDriver call() throws IOException {
            return PipeDeviceDriver.launch(new DriverContext().directory(directory));
        }
    }

    private static void end(PipeDeviceDriver driver, Path directory) {
        driver.close();
        try (Stream<Path> left = Files.walk(directory)) {
            left.sorted(Comparator.reverseOrder()).forEach(each -> each.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
