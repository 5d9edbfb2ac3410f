// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.guest;

import io.pipedevice.tool.PipeDeviceCommand;
import io.pipedevice.device.edu.EduProvider;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.linux.Platform;
import io.pipedevice.samples.SampleModule;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine;

/** The first and only file system of the guest: busybox, a small Java, the modules of VFIO, and the programs. */
final class GuestImage {
    private static final String JAVA_MODULES =
            "java.base,java.instrument,java.logging,java.management,jdk.jfr,jdk.unsupported";
    private static final List<String> KERNEL_MODULES =
            List.of("irqbypass", "vfio", "vfio_virqfd", "vfio_iommu_type1", "vfio-pci-core", "vfio-pci");

    private final Path directory;
    private final Path root;

    GuestImage(Path directory) {
        this.directory = directory;
        this.root = directory.resolve("root");
    }

    /** Builds it; returns the file. */
    Path build(HostTools tools) throws IOException, InterruptedException, URISyntaxException {
        run("rm", "-rf", directory.toString());
        for (String name : List.of("bin", "dev", "proc", "sys", "tmp", "lib/modules", "app/agent", "app/programs")) {
            Files.createDirectories(root.resolve(name));
        }
        copy(tools.busybox(), root.resolve("bin/busybox"));
        for (String module : KERNEL_MODULES) {
            tools.module(module).ifPresent(file -> copy(file, root.resolve("lib/modules/" + module + ".ko")));
        }
        addJava();
        addPrograms();
        try (var script = GuestImage.class.getResourceAsStream("/guest/init")) {
            Files.write(root.resolve("init"), script.readAllBytes());
        }
        run("chmod", "755", root.resolve("init").toString());
        Path image = directory.resolve("initrd");
        run("sh", "-c", "cd '" + root + "' && find . | cpio -o -H newc --quiet >'" + image + "'");
        return image;
    }

    private void addJava() throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("java.home"));
        Path java = root.resolve("jre");
        run(
                home.resolve("bin/jlink").toString(),
                "--add-modules",
                JAVA_MODULES,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                java.toString());
        // With an archive of the JDK's classes, a JVM starts in half of the time.
        run(java.resolve("bin/java").toString(), "-XX:+UseSerialGC", "-Xmx96m", "-Xshare:dump");
        for (String library : libraries(java)) {
            Path target = root.resolve(library.substring(1));
            Files.createDirectories(target.getParent());
            copy(Path.of(library), target);
        }
    }

    /** The system's libraries that Java needs, the dynamic linker included, as ldd(1) names them. */
    private static List<String> libraries(Path java) throws IOException, InterruptedException {
        List<String> libraries = new ArrayList<>();
        String needed = run(
                "ldd",
                java.resolve("bin/java").toString(),
                java.resolve("lib/server/libjvm.so").toString());
        for (String word : needed.split("\\s+", -1)) {
            if (word.startsWith("/lib") && !word.endsWith(":") && !libraries.contains(word)) {
                libraries.add(word);
            }
        }
        return libraries;
    }

    private void addPrograms() throws IOException, URISyntaxException {
        for (Class<?> part : List.of(
                CommandLine.class,
                UnsafeBuffer.class,
                Platform.class,
                PipeDeviceDriver.class,
                EduProvider.class,
                PipeDeviceCommand.class,
                SampleModule.class)) {
            Path jar = place(part);
            copy(jar, root.resolve("app").resolve(jar.getFileName()));
        }
        copy(Path.of(System.getProperty("pipedevice.jar")), root.resolve("app/agent/pipedevice-agent.jar"));
        String program = NioProgram.class.getName().replace('.', '/') + ".class";
        Path target = root.resolve("app/programs").resolve(program);
        Files.createDirectories(target.getParent());
        try (var bytes = GuestImage.class.getResourceAsStream('/' + program)) {
            Files.copy(bytes, target);
        }
    }

    private static Path place(Class<?> part) throws URISyntaxException {
        return Path.of(part.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Runs a program of the host; returns what it printed. */
    static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + printed);
        }
        return printed;
    }

    /** The entries of a directory, in order. */
    static List<Path> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        }
    }
}
