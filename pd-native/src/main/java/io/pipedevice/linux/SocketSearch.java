// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Finds the sockets of a process, from /proc/PID/fd. */
public final class SocketSearch {
    /** The result of {@link #descriptor} if the process does not have the socket. */
    public static final int NONE = -1;

    /** The most descriptors that are checked. */
    public static final int MOST = 16_384;

    private static final String PREFIX = "socket:[";
    private static final boolean IS_POSSIBLE = isProcOfThisNamespace();

    private SocketSearch() {}

    /**
     * Whether /proc shows the processes of this process's PID namespace by their numbers.
     *
     * @return false if it is not mounted, or is that of another namespace
     */
    public static boolean isPossible() {
        return IS_POSSIBLE;
    }

    private static boolean isProcOfThisNamespace() {
        try {
            long shown =
                    Long.parseLong(Files.readSymbolicLink(Path.of("/proc/self")).toString());
            return shown == ProcessFacts.self();
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }

    /**
     * Finds a descriptor of a socket. Takes a few microseconds for each descriptor of the process, unless the likely
     * one is right.
     *
     * @param pid the process, as this process's PID namespace sees it
     * @param inode of the socket
     * @param likely the descriptor to check first, or {@link #NONE}
     * @return the number of a descriptor in that process, or {@link #NONE} if none of its first {@link #MOST} is that
     *     socket
     * @throws IOException if there is no such process, or it may not be inspected
     */
    public static int descriptor(int pid, long inode, int likely) throws IOException {
        Path directory = Path.of("/proc", Integer.toString(pid), "fd");
        String wanted = PREFIX + inode + "]";
        if (likely >= 0 && isAt(directory.resolve(Integer.toString(likely)), wanted)) {
            return likely;
        }
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory)) {
            int looked = 0;
            for (Path descriptor : descriptors) {
                if (isAt(descriptor, wanted)) {
                    return Integer.parseInt(descriptor.getFileName().toString());
                }
                if (++looked == MOST) {
                    break;
                }
            }
            return NONE;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /**
     * The socket of a descriptor.
     *
     * @param pid the process, as this process's PID namespace sees it
     * @param descriptor its number there
     * @return the inode; {@link #NONE} if the descriptor is not a socket's, or is closed
     * @throws IOException if there is no such process, or it may not be inspected
     */
    public static long inode(int pid, int descriptor) throws IOException {
        Path at = Path.of("/proc", Integer.toString(pid), "fd", Integer.toString(descriptor));
        try {
            String text = Files.readSymbolicLink(at).toString();
            return text.startsWith(PREFIX) && text.endsWith("]")
                    ? Long.parseLong(text.substring(PREFIX.length(), text.length() - 1))
                    : NONE;
        } catch (NoSuchFileException | NumberFormatException e) {
            return NONE;
        }
    }

    private static boolean isAt(Path descriptor, String wanted) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().equals(wanted);
        } catch (NoSuchFileException e) {
            // Closed.
            return false;
        }
    }
}
