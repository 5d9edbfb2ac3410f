// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import io.pipedevice.nio.stat.StatPages;
import java.io.IOException;
import java.io.Writer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Writes a report for {@code pipedevice doctor} when a JVM that the doctor started ends: copies of what other processes
 * could read about it under /proc while it ran. Loaded only in such a JVM.
 */
final class LastReport extends Thread {
    private final Path directory;
    private final Instrumentation instrumentation;

    private LastReport(Path directory, Instrumentation instrumentation) {
        super("pipedevice-report");
        this.directory = directory;
        this.instrumentation = instrumentation;
    }

    /** Registers a report for the end of this JVM. */
    static void promise(String directory, Instrumentation instrumentation) {
        Runtime.getRuntime().addShutdownHook(new LastReport(Path.of(directory), instrumentation));
    }

    @Override
    public void run() {
        int pid = (int) ProcessHandle.current().pid();
        try {
            if (!isOwn(directory)) {
                return;
            }
            Path own = Files.createDirectory(directory.resolve(Integer.toString(pid)));
            for (String file : new String[] {"maps", "cmdline"}) {
                Files.write(own.resolve(file), Files.readAllBytes(Path.of("/proc/self", file)), CREATE_NEW);
            }
            Files.writeString(own.resolve("environ"), options(), CREATE_NEW);
            ByteBuffer page = StatPages.copyOf(pid);
            if (page != null) {
                try (FileChannel file = FileChannel.open(own.resolve("page"), CREATE_NEW, WRITE)) {
                    file.write(page);
                }
            }
            try (Writer notes = Files.newBufferedWriter(own.resolve("notes"), CREATE_NEW)) {
                notes().store(notes, null);
            }
        } catch (IOException | RuntimeException e) {
            // The doctor then has only what it collected itself. The program gets no error about a report that it did
            // not request.
            return;
        }
    }

    /**
     * Checks the directory, because this JVM may outlive the doctor. In that case it must not write a report, nor trust
     * a directory of that name that another user has created since.
     */
    private static boolean isOwn(Path directory) throws IOException {
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS)
                        .equals(Files.getOwner(Path.of("/proc/self/stat")));
    }

    /** The variables of the environment that add to the command line. The others are private to the program. */
    private static String options() {
        StringBuilder options = new StringBuilder();
        for (String name : new String[] {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"}) {
            if (System.getenv(name) != null) {
                options.append(name).append('=').append(System.getenv(name)).append('\0');
            }
        }
        return options.toString();
    }

    /** Whether some are the JDK's own, which loads their class when it creates the first one. */
    private boolean hasAsynchronousChannels() {
        return Stream.of(instrumentation.getAllLoadedClasses())
                .filter(loaded ->
                        loaded.getName().startsWith("sun.nio.ch.") && !Modifier.isAbstract(loaded.getModifiers()))
                .anyMatch(loaded -> AsynchronousSocketChannel.class.isAssignableFrom(loaded)
                        || AsynchronousServerSocketChannel.class.isAssignableFrom(loaded));
    }

    private Properties notes() {
        Properties notes = new Properties();
        if (SocketHook.hasJdkSockets(instrumentation)) {
            notes.setProperty("java.net.Socket", "used");
        }
        if (hasAsynchronousChannels()) {
            notes.setProperty("java.nio.channels.AsynchronousChannel", "used");
        }
        notes.setProperty("java.version", System.getProperty("java.version"));
        return notes;
    }
}
