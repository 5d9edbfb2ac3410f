// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.PeerName;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.ReadableClassPath;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that takes the free names of a port of 127.0.0.1, and lets no client in: the backlog of each name is full.
 */
public final class NameTaker {
    private static final int UID = 65533;

    private NameTaker() {}

    /**
     * Starts the process as another user. It has the names when this returns, and keeps them until it is closed.
     *
     * @param directory belongs to the test; every user can read it from now on
     */
    public static ChildJvm start(Path directory, int port) throws IOException {
        List<String> user = List.of("setpriv", "--reuid=" + UID, "--regid=" + UID, "--clear-groups");
        ChildJvm child = ChildJvm.start(
                user, List.of(), ReadableClassPath.in(directory), NameTaker.class, Integer.toString(port));
        try {
            child.expect("TAKEN");
            return child;
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    public static void main(String[] arguments) throws IOException {
        List<UnixSocket> all = new ArrayList<>();
        for (UnixAddress name : PeerName.candidates(TestAddresses.loopback(Integer.parseInt(arguments[0])))) {
            try {
                all.add(UnixSocket.listen(UnixSocket.Type.SEQPACKET, name, 0));
                fill(name, all);
            } catch (LinuxException e) {
                if (e.errno() != Errno.EADDRINUSE) {
                    throw e;
                }
            }
        }
        System.out.println("TAKEN");
        System.in.read();
        all.forEach(UnixSocket::close);
    }

    private static void fill(UnixAddress name, List<UnixSocket> all) throws LinuxException {
        try {
            while (true) {
                all.add(UnixSocket.connect(UnixSocket.Type.SEQPACKET, name, 0));
            }
        } catch (LinuxException e) {
            if (e.errno() != Errno.EAGAIN) {
                throw e;
            }
        }
    }
}
