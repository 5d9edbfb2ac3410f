// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.PidFd;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UserIds;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;

/**
 * Who a container is, from the kernel only: SO_PEERCRED of unix(7), the network namespace and the addresses under
 * /proc/PID. What the process says of itself is never asked. Belongs to the driver's thread.
 */
final class Identity {
    private static final System.Logger LOG = System.getLogger(Identity.class.getName());

    /** Part of the time that is spent on asking for addresses again: a process with many could keep the driver busy. */
    private static final int REFRESH_SHARE = 20;

    private final int pid;
    private final int uid;
    private final long startTime;
    private final long networkNamespace;
    private Set<InetAddress> addresses;
    private long askAgainAtNs = System.nanoTime();

    private Identity(int pid, int uid) throws IOException {
        this.pid = pid;
        this.uid = uid;
        this.startTime = ProcessFacts.startTime(pid);
        this.networkNamespace = ProcessFacts.networkNamespace(pid);
        this.addresses = ProcessFacts.localAddresses(pid);
    }

    /** Asks the kernel who is at the other end. */
    static Identity of(UnixSocket socket) throws IOException {
        UnixSocket.Credentials credentials = socket.peerCredentials();
        Optional<PidFd> handle = socket.peerPidFd();
        try {
            if (credentials.pid() == 0) {
                // To /proc that would mean the driver itself.
                throw new IOException("a process of a PID namespace that the driver cannot see");
            }
            Identity identity = new Identity(credentials.pid(), credentials.uid());
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

    /** Whether two processes are the same user's, which cannot be said of users that the driver cannot tell apart. */
    boolean isSameUser(Identity other) {
        return UserIds.isSame(uid, other.uid);
    }

    long networkNamespace() {
        return networkNamespace;
    }

    /** Whether an address is one of the container's own; asks again before it says no, because addresses change. */
    boolean owns(InetAddress address) {
        if (address.isAnyLocalAddress() || address.isLoopbackAddress() || addresses.contains(address)) {
            return true;
        }
        refresh();
        return addresses.contains(address);
    }

    private void refresh() {
        long start = System.nanoTime();
        if (start - askAgainAtNs < 0) {
            return;
        }
        try {
            Set<InetAddress> now = ProcessFacts.localAddresses(pid);
            // The number may be another process's by now, and the process may have gone to another namespace.
            if (ProcessFacts.networkNamespace(pid) == networkNamespace && ProcessFacts.startTime(pid) == startTime) {
                addresses = now;
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "addresses of process {0} are not known any more: {1}", pid, e.getMessage());
        }
        long end = System.nanoTime();
        askAgainAtNs = end + (end - start) * REFRESH_SHARE;
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

    /** The address that stands for all, of IPv4 too. */
    static InetAddress wildcard() {
        return address(new byte[16]);
    }

    /** The loopback address of the same family. */
    static InetAddress loopbackLike(InetAddress address) {
        byte[] loopback = new byte[address.getAddress().length];
        if (loopback.length == 4) {
            loopback[0] = 127;
        }
        loopback[loopback.length - 1] = 1;
        return address(loopback);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }
}
