// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.DriverStat;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Platform;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The driver whose directory a program names. Immutable. */
final class NamedDriver {
    /**
     * The errors of connect(2) if no driver listens: there is no file, another file, or the socket of a driver that has
     * ended.
     */
    private static final Set<Integer> NO_DRIVER =
            Set.of(Errno.ENOENT, Errno.ENOTDIR, Errno.ECONNREFUSED, Errno.ENOTSOCK, Errno.EPROTOTYPE);

    private static final String PROPERTY = "pipedevice.driver";
    /** The code if no driver runs. */
    private static final String MISSING = "no-driver";

    private static final long TIMEOUT_MILLIS = 3000;

    private final long pid;
    private final String shown;

    /** As this process reaches it. */
    private final Path directory;

    private NamedDriver(long pid, String shown, Path directory) {
        this.pid = pid;
        this.shown = shown;
        this.directory = directory;
    }

    /** The driver that a program names; null if it names none. */
    static NamedDriver of(JvmFacts jvm) {
        String named = jvm.options().property(PROPERTY);
        return named == null || named.isEmpty()
                ? null
                : new NamedDriver(
                        jvm.pid(),
                        named.replaceAll("\\P{Print}", "?"),
                        jvm.options().outside(named));
    }

    /**
     * Whether two programs name the same directory, perhaps by different paths.
     *
     * @param other null if the other program names none
     */
    boolean isSame(NamedDriver other) {
        if (other == null) {
            return false;
        }
        try {
            return Files.isSameFile(directory, other.directory);
        } catch (IOException e) {
            // One of them does not exist, or may not be inspected.
            return directory.normalize().equals(other.directory.normalize()) || shown.equals(other.shown);
        }
    }

    /** Whether a driver listens there now. */
    boolean runs() {
        return Platform.supported() && listensAt(directory.resolve(DriverDirectory.SOCKET_NAME));
    }

    /** Returns what keeps a running program from the driver; null if a driver listens, or if that is not known. */
    Finding finding() {
        // If the program has ended, its driver may have ended too.
        if (!Platform.supported() || !Files.exists(Processes.directory(pid))) {
            return null;
        }
        if (!Files.exists(directory)) {
            return Finding.problem(
                    MISSING,
                    "-D" + PROPERTY + "=" + shown + " names a directory that does not exist; correct it, or "
                            + start());
        }
        if (!runs()) {
            return Finding.problem(MISSING, "no driver runs at " + shown + "; " + start());
        }
        UserAccess access = UserAccess.of(pid);
        String denied = access == null ? null : access.denied(directory, shown, DriverDirectory.SOCKET_NAME);
        return denied == null
                ? null
                : Finding.problem(
                        "driver-not-permitted",
                        "user " + Integer.toUnsignedString(access.user()) + " " + denied
                                + "; start the driver with a umask and a group that let this user write there");
    }

    private String start() {
        return "start it: pipedevice driver --dir " + shown;
    }

    private static boolean listensAt(Path socket) {
        try {
            UnixSocket.connect(UnixSocket.Type.SEQPACKET, UnixAddress.path(socket), TIMEOUT_MILLIS)
                    .close();
            return true;
        } catch (LinuxException e) {
            // Any other error means that a driver is there: it is busy, or this user may not connect.
            return !NO_DRIVER.contains(e.errno());
        } catch (IllegalArgumentException e) {
            // The path through the process's root is too long for a socket address.
            return Files.exists(socket);
        }
    }

    /**
     * How many of a program's open connections were through a driver that has ended, at least.
     *
     * @param open connections on rings that the program has open
     * @return 0 also if that is not known
     */
    long lost(long open) {
        Finding finding = finding();
        if (open == 0 || finding != null) {
            return finding != null && finding.code().equals(MISSING) ? open : 0;
        }
        String owner = " pid " + pid;
        try (DriverStat stat = DriverStat.open(directory)) {
            long served = stat.values().stream()
                    .filter(value -> value.label().startsWith("sockets of ")
                            && value.label().endsWith(owner))
                    .mapToLong(DriverStat.Value::value)
                    .sum();
            return seesThisNamespace() ? Math.max(0, open - served) : 0;
        } catch (IOException | IllegalArgumentException e) {
            return 0;
        }
    }

    /** Whether the driver gives processes the numbers that this process gives them. */
    private boolean seesThisNamespace() {
        try (UnixSocket driver = UnixSocket.connect(
                UnixSocket.Type.SEQPACKET,
                UnixAddress.path(directory.resolve(DriverDirectory.SOCKET_NAME)),
                TIMEOUT_MILLIS)) {
            Path process = Processes.directory(driver.peerCredentials().pid());
            return Files.readSymbolicLink(process.resolve("ns/pid"))
                    .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/pid")));
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return shown;
    }
}
