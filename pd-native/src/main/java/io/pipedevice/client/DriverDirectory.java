// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.DeniedAccess;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UserIds;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Finds a PD Driver that runs as a process of its own: {@code pipedevice driver --dir DIR}. It sees all data, so that
 * it has to be this user's own, or root's.
 */
public final class DriverDirectory {
    /** Name of the driver's socket in its directory. */
    public static final String SOCKET_NAME = "driver.sock";

    /** A driver that stands still has soon as many connections waiting as it may have. */
    private static final long CONNECT_TIMEOUT_MILLIS = 3000;

    private DriverDirectory() {}

    /**
     * The driver of a directory.
     *
     * @param directory as it was given to the driver
     * @return an endpoint, equal to any other of the same path; whether a driver runs there is found out by
     *     {@link PipeDevice#init}
     */
    public static ControlEndpoint at(Path directory) {
        return new At(Objects.requireNonNull(directory));
    }

    /** The driver of a directory. */
    private record At(Path directory) implements ControlEndpoint {
        @Override
        public UnixSocket connect() throws PdException {
            return DriverDirectory.connect(directory.resolve(SOCKET_NAME));
        }
    }

    private static UnixSocket connect(Path path) throws PdException {
        UnixSocket socket = reach(path);
        boolean done = false;
        try {
            requireTrusted(socket, path);
            done = true;
            return socket;
        } catch (LinuxException e) {
            throw PdException.wrap("cannot find out which user runs the PD Driver at " + path, e);
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    private static void requireTrusted(UnixSocket socket, Path path) throws LinuxException, PdException {
        int uid = socket.peerCredentials().uid();
        // A root of another user namespace cannot be told from others there.
        if (uid != ProcessFacts.effectiveUid() && uid != 0 && UserIds.isKnown(uid)) {
            throw new PdException(
                    Errno.EACCES, "the PD Driver at " + path + " is user " + uid + "'s, not this user's or root's");
        }
    }

    private static UnixSocket reach(Path path) throws PdException {
        try {
            return UnixSocket.connect(UnixSocket.Type.SEQPACKET, UnixAddress.path(path), CONNECT_TIMEOUT_MILLIS);
        } catch (LinuxException e) {
            if (e.errno() == Errno.EACCES) {
                throw new PdException(e.errno(), DeniedAccess.explain(path), e);
            }
            boolean isAbsent = e.errno() == Errno.ENOENT || e.errno() == Errno.ECONNREFUSED;
            throw new PdException(
                    e.errno(),
                    (isAbsent ? "no PD Driver runs at " : "cannot reach the PD Driver at ") + path + " ("
                            + e.getMessage() + ")",
                    e);
        }
    }
}
