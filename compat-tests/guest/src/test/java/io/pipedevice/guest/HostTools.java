// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tools that the host must have: QEMU, a kernel with its modules, a static busybox, cpio. */
final class HostTools {
    private final Path kernel;
    private final Path modules;
    private final Path qemu;
    private final Path busybox;

    private HostTools(Path kernel, Path modules, Path qemu, Path busybox) {
        this.kernel = kernel;
        this.modules = modules;
        this.qemu = qemu;
        this.busybox = busybox;
    }

    /**
     * Finds all tools.
     *
     * @throws IOException if a tool is missing; the message names it and the Debian packages that have it
     */
    static HostTools find() throws IOException {
        List<String> missing = new ArrayList<>();
        Path qemu = program("qemu-system-x86_64", "qemu-system-x86", missing);
        Path busybox = program("busybox", "busybox-static", missing);
        program("cpio", "cpio", missing);
        Path kernel = findKernel();
        Path modules = findModules(kernel);
        if (kernel == null || modules == null) {
            missing.add("linux-image-amd64");
        }
        if (!missing.isEmpty()) {
            throw new IOException("the guest needs more than this machine has: as root, apt-get install "
                    + String.join(" ", missing) + " (or -Dguest.kernel=FILE -Dguest.modules=DIRECTORY)");
        }
        return new HostTools(kernel, modules, qemu, busybox);
    }

    private static Path program(String name, String packaged, List<String> missing) {
        for (String directory : (System.getenv("PATH") + ":/usr/sbin:/sbin").split(":", -1)) {
            Path program = Path.of(directory, name);
            if (Files.isExecutable(program)) {
                return program;
            }
        }
        missing.add(packaged);
        return null;
    }

    /** The kernel that was named, or the newest readable one in /boot. */
    private static Path findKernel() throws IOException {
        String named = System.getProperty("guest.kernel", "");
        if (!named.isEmpty()) {
            return Path.of(named);
        }
        return GuestImage.list(Path.of("/boot")).stream()
                .filter(file -> file.getFileName().toString().matches("vmlinuz-.*-amd64") && Files.isReadable(file))
                .reduce((older, newer) -> newer)
                .orElse(null);
    }

    private static Path findModules(Path kernel) {
        String named = System.getProperty("guest.modules", "");
        if (kernel == null) {
            return null;
        }
        String version = kernel.getFileName().toString().replaceFirst("vmlinuz-", "");
        Path modules = named.isEmpty() ? Path.of("/lib/modules", version) : Path.of(named);
        return Files.isDirectory(modules) ? modules : null;
    }

    Path kernel() {
        return kernel;
    }

    Path qemu() {
        return qemu;
    }

    Path busybox() {
        return busybox;
    }

    /** A module of the kernel; empty if it is built in, or does not exist. */
    Optional<Path> module(String name) throws IOException {
        try (Stream<Path> files = Files.walk(modules)) {
            return files.filter(file -> file.getFileName().toString().equals(name + ".ko"))
                    .findFirst();
        }
    }
}
