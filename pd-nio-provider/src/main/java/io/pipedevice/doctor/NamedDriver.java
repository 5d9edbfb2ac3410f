// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.doctor;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Platform;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The driver whose directory a program names. */
final class NamedDriver {
    /**
     * The errors of connect(2) if no driver listens: there is no file, another file, or the socket of a driver that has
     * ended.
     */
    private static final Set<Integer> NO_DRIVER =
            Set.of(Errno.ENOENT, Errno.ENOTDIR, Errno.ECONNREFUSED, Errno.ENOTSOCK, Errno.EPROTOTYPE);

    private static final long TIMEOUT_MILLIS = 3000;

    private NamedDriver() {}

    /** Whether a program names a driver's directory. */
    static boolean isNamed(JvmFacts jvm) {
        String directory = jvm.options().property("pipedevice.driver");
        return directory != null && !directory.isEmpty();
    }

    /**
     * Returns a finding if a running program names a directory in which no driver listens; null if a driver listens, or
     * if that is not known.
     */
    static Finding missing(JvmFacts jvm) {
        // If the program has ended, its driver may have ended too.
        if (!isNamed(jvm) || !Platform.supported() || !Files.exists(Processes.directory(jvm.pid()))) {
            return null;
        }
        String directory = jvm.options().property("pipedevice.driver");
        if (listensAt(jvm.options().outside(directory).resolve(DriverDirectory.SOCKET_NAME))) {
            return null;
        }
        String shown = directory.replaceAll("\\P{Print}", "?");
        return Finding.problem(
                "no-driver", "no driver runs at " + shown + "; start it: pipedevice driver --dir " + shown);
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
}
