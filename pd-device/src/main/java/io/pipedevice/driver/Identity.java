// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.PidFd;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;

/**
 * Who a container is, from the kernel only: SO_PEERCRED of unix(7), the network namespace and the addresses under
 * /proc/PID. What the process says of itself is never asked. Belongs to the driver's thread.
 */
final class Identity {
    private final int pid;
    private final int uid;
    private final long networkNamespace;
    private Set<InetAddress> addresses;

    private Identity(int pid, int uid, long networkNamespace, Set<InetAddress> addresses) {
        this.pid = pid;
        this.uid = uid;
        this.networkNamespace = networkNamespace;
        this.addresses = addresses;
    }

    /** Asks the kernel who is at the other end. */
    static Identity of(UnixSocket socket) throws IOException {
        UnixSocket.Credentials credentials = socket.peerCredentials();
        Optional<PidFd> handle = socket.peerPidFd();
        try {
            Identity identity = new Identity(
                    credentials.pid(),
                    credentials.uid(),
                    ProcessFacts.networkNamespace(credentials.pid()),
                    ProcessFacts.localAddresses(credentials.pid()));
            if (handle.isPresent() && !handle.get().isAlive()) {
                // Its number may have gone to another process before the facts were read.
                throw new IOException("process " + credentials.pid() + " ended while it attached");
            }
            return identity;
        } finally {
            handle.ifPresent(PidFd::close);
        }
    }

    int pid() {
        return pid;
    }

    int uid() {
        return uid;
    }

    long networkNamespace() {
        return networkNamespace;
    }

    /** Whether an address is one of the container's own; asks again before it says no, because addresses change. */
    boolean owns(InetAddress address) {
        if (address.isAnyLocalAddress() || address.isLoopbackAddress() || addresses.contains(address)) {
            return true;
        }
        try {
            addresses = ProcessFacts.localAddresses(pid);
        } catch (IOException e) {
            return false;
        }
        return addresses.contains(address);
    }

    /** The address that a connection to {@code peer} in another namespace comes from. */
    InetAddress sourceFor(InetAddress peer) {
        for (InetAddress address : addresses) {
            if (!address.isLoopbackAddress() && address.getClass() == peer.getClass()) {
                return address;
            }
        }
        return peer;
    }

    /** The loopback address of the same family. */
    static InetAddress loopbackLike(InetAddress address) {
        byte[] loopback = new byte[address.getAddress().length];
        if (loopback.length == 4) {
            loopback[0] = 127;
        }
        loopback[loopback.length - 1] = 1;
        try {
            return InetAddress.getByAddress(loopback);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }
}
