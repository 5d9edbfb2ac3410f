// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.nio.start.JdkDefects;
import io.pipedevice.nio.stat.JvmStat;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The facts that are known about one JVM. Immutable.
 *
 * @param pid the process
 * @param user the number of its effective user; empty if it is not known
 * @param options how it was started
 * @param javaVersion such as 25.0.1; empty if it is not known
 * @param files the paths of mapped files
 * @param stat what it publishes; null if it publishes nothing, or by another version of PipeDevice
 * @param isOfAnotherVersion whether it publishes by another version of PipeDevice
 * @param tcp the kernel's sockets of its network namespace
 * @param sockets the inodes of its own sockets
 * @param usedSocket whether it is known that it used java.net.Socket
 * @param usedAsynchronousChannel whether it is known that it used asynchronous channels
 */
record JvmFacts(
        long pid,
        String user,
        JvmOptions options,
        String javaVersion,
        Set<String> files,
        JvmStat stat,
        boolean isOfAnotherVersion,
        TcpTable tcp,
        Set<Long> sockets,
        boolean usedSocket,
        boolean usedAsynchronousChannel) {
    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"([^\"]+)\"");
    private static final int PARENTS = 6;

    /**
     * Collects the facts about a running JVM.
     *
     * @return null if the process is not a JVM, or not yet
     * @throws IOException if there is no such process or it may not be inspected
     */
    static JvmFacts of(long pid) throws IOException {
        Path directory = Processes.directory(pid);
        Set<String> files = Processes.mappedFiles(directory);
        String library = Processes.jvmLibrary(files);
        if (library == null) {
            return null;
        }
        Path root = directory.resolve("root");
        return new JvmFacts(
                pid,
                Processes.user(pid),
                new JvmOptions(directory, root, directory.resolve("cwd")),
                version(root, library.substring(1)),
                files,
                JvmStat.of((int) pid),
                JvmStat.isOfAnotherVersion((int) pid),
                TcpTable.of(directory),
                Processes.sockets(directory),
                false,
                false);
    }

    /**
     * Reads the report that a JVM left at its end.
     *
     * @param seen the facts that were collected while it ran; null if there are none
     * @throws IOException if the report is not complete
     */
    static JvmFacts left(long pid, Path report, JvmFacts seen) throws IOException {
        Properties notes = new Properties();
        try (Reader reader = Files.newBufferedReader(report.resolve("notes"), StandardCharsets.ISO_8859_1)) {
            notes.load(reader);
        }
        Path page = report.resolve("page");
        return new JvmFacts(
                pid,
                // Only a JVM of this process's user leaves a report.
                Integer.toUnsignedString(ProcessFacts.effectiveUid()),
                new JvmOptions(report, Path.of("/"), Path.of("")),
                notes.getProperty("java.version", ""),
                Processes.mappedFiles(report),
                Files.exists(page) ? JvmStat.of((int) pid, page) : null,
                JvmStat.isOfAnotherVersion(page),
                // If it ended before it was inspected, assume that it was in the network namespace of this process.
                seen == null ? TcpTable.of(Processes.directory(ProcessFacts.self())) : seen.tcp(),
                seen == null ? Set.of() : seen.sockets(),
                notes.containsKey("java.net.Socket"),
                notes.containsKey("java.nio.channels.AsynchronousChannel"));
    }

    /** Reads the version from the release file of the JDK that contains the JVM's library. */
    private static String version(Path root, String library) {
        Path home;
        try {
            home = root.resolve(library).getParent();
        } catch (InvalidPathException e) {
            // This process cannot represent the name as a path.
            return "";
        }
        for (int i = 0; i < PARENTS && home != null; i++, home = home.getParent()) {
            Path release = home.resolve("release");
            try {
                if (Files.isRegularFile(release)) {
                    Matcher version = VERSION.matcher(Files.readString(release));
                    return version.find() ? version.group(1) : "";
                }
            } catch (IOException e) {
                return "";
            }
        }
        return "";
    }

    /** The feature release: 8 for Java 8, which calls itself 1.8; 0 if it is not known. */
    int javaMajor() {
        Matcher number = Pattern.compile("(?:1\\.)?(\\d+).*").matcher(javaVersion);
        return number.matches() ? Integer.parseInt(number.group(1)) : 0;
    }

    /** The defects of its JDK that may be taken for PipeDevice's. */
    List<String> jdkDefects() {
        try {
            return JdkDefects.of(
                    Runtime.Version.parse(javaVersion),
                    options.isOn("UseCompactObjectHeaders"),
                    Processes.directory(pid));
        } catch (IllegalArgumentException e) {
            // No version, or one of Java 8.
            return List.of();
        }
    }

    /** The classes of Netty that tell the program that their transports are unavailable, because PipeDevice is there. */
    List<String> switchedTransports() {
        return stat == null ? List.of() : stat.switched();
    }

    String program() {
        return stat == null ? options.program() : stat.program();
    }

    /** Its kernel connections, made by any API, that were open when the facts were collected. */
    List<TcpTable.Socket> connections() {
        return tcp.connected().stream()
                .filter(socket -> sockets.contains(socket.inode()))
                .toList();
    }
}
