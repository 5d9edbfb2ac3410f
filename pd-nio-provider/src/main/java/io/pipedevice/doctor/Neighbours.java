// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.doctor;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;

/** The processes at the other ends of a JVM's connections. Not thread safe. */
final class Neighbours {
    private final TcpTable tcp;
    private final Set<InetAddress> addresses;

    /** Processes by the inodes of their sockets; null before the first use. */
    private Map<Long, Long> owners;

    Neighbours(JvmFacts jvm) {
        tcp = jvm.tcp();
        addresses = addresses(jvm.pid());
    }

    private static Set<InetAddress> addresses(long pid) {
        try {
            // If the process has ended, assume that it had the addresses of this process.
            return ProcessFacts.localAddresses(Files.exists(Processes.directory(pid)) ? (int) pid : 0);
        } catch (IOException e) {
            return Set.of();
        }
    }

    /** Whether an address belongs to the host, or the container, of the JVM. */
    boolean isLocal(InetAddress address) {
        return address.isLoopbackAddress() || addresses.contains(address);
    }

    /** The process that listens at an address; 0 if there is none, or it may not be inspected. */
    long listenerAt(InetAddress address, int port) {
        return owner(tcp.listenerAt(address, port));
    }

    /** The process at the other end of a connection; 0 if it is on another host, or may not be inspected. */
    long otherEnd(TcpTable.Socket socket) {
        return owner(tcp.otherEnd(socket));
    }

    private long owner(TcpTable.Socket socket) {
        if (socket == null) {
            return 0;
        }
        if (owners == null) {
            owners = Processes.ownersOfSockets();
        }
        return owners.getOrDefault(socket.inode(), 0L);
    }

    /** What a process is as a peer for rings. */
    enum Kind {
        /** There is no process, or it may not be inspected. */
        UNKNOWN,
        /** It cannot have PipeDevice. */
        NO_JVM,
        /** It could have PipeDevice. */
        PLAIN_JVM,
        /** It has PipeDevice, and has opened no channel of java.nio. */
        WITHOUT_CHANNELS,
        /** It has PipeDevice, which is off. */
        OFF,
        /** It has another version of PipeDevice than this. */
        OTHER_VERSION,
        /** It has PipeDevice. */
        WITH_PIPEDEVICE
    }

    static Kind kind(long pid) {
        if (pid == 0) {
            return Kind.UNKNOWN;
        }
        try {
            JvmFacts jvm = JvmFacts.of(pid);
            return jvm == null ? Kind.NO_JVM : kind(jvm);
        } catch (IOException e) {
            return Kind.UNKNOWN;
        }
    }

    private static Kind kind(JvmFacts jvm) {
        if (jvm.isOfAnotherVersion()) {
            return Kind.OTHER_VERSION;
        }
        if (Examination.whyOff(jvm) != null) {
            return jvm.stat() != null || jvm.options().hasAgent() ? Kind.OFF : Kind.PLAIN_JVM;
        }
        return jvm.stat() == null ? Kind.WITHOUT_CHANNELS : Kind.WITH_PIPEDEVICE;
    }
}
