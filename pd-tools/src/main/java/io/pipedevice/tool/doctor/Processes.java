// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Information of proc(5) about processes that {@code ProcessFacts} does not have, as far as this user may read it. */
final class Processes {
    private static final String SOCKET = "socket:[";
    private static final String REMOVED = " (deleted)";

    private Processes() {}

    static Path directory(long pid) {
        return Path.of("/proc", Long.toString(pid));
    }

    /** The paths of the files that a process has mapped; from its directory, or a copy. */
    static Set<String> mappedFiles(Path directory) throws IOException {
        Set<String> files = new LinkedHashSet<>();
        String maps = new String(Files.readAllBytes(directory.resolve("maps")), StandardCharsets.UTF_8);
        for (String line : maps.split("\n", -1)) {
            int path = line.indexOf('/');
            if (path >= 0) {
                String file = line.substring(path);
                // A deleted file, such as the library of a JDK that was replaced while the program runs.
                files.add(file.endsWith(REMOVED) ? file.substring(0, file.length() - REMOVED.length()) : file);
            }
        }
        return files;
    }

    /** The JVM's library among mapped files; null if there is none. */
    static String jvmLibrary(Collection<String> files) {
        for (String file : files) {
            if (file.endsWith("/libjvm.so")) {
                return file;
            }
        }
        return null;
    }

    /** The inodes of a process's sockets; none if it may not be inspected. */
    static Set<Long> sockets(Path directory) {
        Set<Long> sockets = new LinkedHashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                long inode = socket(descriptor);
                if (inode != 0) {
                    sockets.add(inode);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return sockets;
        }
        return sockets;
    }

    private static long socket(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith(SOCKET) ? Long.parseLong(target, SOCKET.length(), target.length() - 1, 10) : 0;
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /** Processes by the inodes of their sockets, for the processes that may be inspected. */
    static Map<Long, Long> ownersOfSockets() {
        Map<Long, Long> owners = new HashMap<>();
        ProcessHandle.allProcesses()
                .forEach(process ->
                        sockets(directory(process.pid())).forEach(inode -> owners.put(inode, process.pid())));
        return owners;
    }

    /** A word of /proc/PID/status, such as the effective user; empty if there is no such process. */
    static String status(long pid, String key, int word) {
        List<String> words = statusWords(pid, key);
        return words.size() < word ? "" : words.get(word - 1);
    }

    /** The words after a key of /proc/PID/status; none if there is no such process. */
    static List<String> statusWords(long pid, String key) {
        try {
            for (String line : Files.readAllLines(directory(pid).resolve("status"))) {
                if (line.startsWith(key + ":")) {
                    String words = line.substring(key.length() + 1).strip();
                    return words.isEmpty() ? List.of() : List.of(words.split("\\s+", -1));
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return List.of();
    }

    /** The number of a process's effective user; empty if there is no such process. */
    static String user(long pid) {
        return status(pid, "Uid", 2);
    }

    /** The name of a process's program, without control sequences for the terminal. */
    static String name(long pid) {
        return status(pid, "Name", 1).replaceAll("\\P{Print}", "?");
    }
}
