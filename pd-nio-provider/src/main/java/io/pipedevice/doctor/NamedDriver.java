// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.doctor;

import io.pipedevice.lib.DriverDirectory;
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
    /** What connect(2) says where no driver listens: nothing is there, something else, or what one left behind. */
    private static final Set<Integer> NOBODY =
            Set.of(Errno.ENOENT, Errno.ENOTDIR, Errno.ECONNREFUSED, Errno.ENOTSOCK, Errno.EPROTOTYPE);

    private static final long TIMEOUT_MILLIS = 3000;

    private NamedDriver() {}

    /** That a program which runs names a directory where no driver listens; null if that is not so, or not known. */
    static Finding missing(JvmFacts jvm) {
        String directory = jvm.options().property("pipedevice.driver");
        boolean named = directory != null && !directory.isEmpty();
        // When a program has ended, its driver may have too.
        if (!named || !Platform.supported() || !Files.exists(Processes.directory(jvm.pid()))) {
            return null;
        }
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
            // Who is busy, or who may not be asked, is there.
            return !NOBODY.contains(e.errno());
        } catch (IllegalArgumentException e) {
            // Too long a name, by way of the process's root.
            return Files.exists(socket);
        }
    }
}
