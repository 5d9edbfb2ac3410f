// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The user namespace that owns a network namespace, user_namespaces(7): its users may change the network. A user who
 * makes both has every capability over the sockets there.
 */
public final class NamespaceOwner {
    private static final int SIOCGSKNS = 0x894C;
    private static final int NS_GET_USERNS = 0xB701;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path OWN = Path.of("/proc/self/ns/user");

    private NamespaceOwner() {}

    /**
     * Whether the network namespace of a socket belongs to the user namespace of this process, so that its users have
     * no capabilities over it but those that they were given here.
     *
     * @param socket any socket of a network
     * @return false for a namespace that a user has made for itself
     * @throws LinuxException EPERM without CAP_NET_ADMIN over the namespace
     * @throws IOException if /proc cannot be read
     */
    public static boolean isOwn(Fd socket) throws IOException {
        try (Fd network = ask(socket, SIOCGSKNS);
                Fd user = ask(network, NS_GET_USERNS)) {
            int number = user.acquire();
            try {
                Path name = Files.readSymbolicLink(DESCRIPTORS.resolve(Integer.toString(number)));
                return name.equals(Files.readSymbolicLink(OWN));
            } finally {
                user.release();
            }
        }
    }

    private static Fd ask(Fd about, int request) throws LinuxException {
        int number = about.acquire();
        try {
            return Fd.own(LinuxException.check("ioctl", FileCalls.ioctl(number, request, 0)));
        } finally {
            about.release();
        }
    }
}
