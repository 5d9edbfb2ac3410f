// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The processes at the other ends of a JVM's connections, and their addresses. Not thread safe. */
final class OtherEnds {
    /** How the abstract names begin at which listeners of PipeDevice are met; they end with the port. */
    private static final String RENDEZVOUS = "@pipedevice-";

    private final JvmFacts jvm;
    private final Set<InetAddress> addresses;

    /** Processes by the inodes of their sockets; null before the first use. */
    private Map<Long, Long> owners;

    /** A process of each other network namespace that has an address; null before the first use. */
    private Map<InetAddress, List<Long>> elsewhere;

    OtherEnds(JvmFacts jvm) {
        this.jvm = jvm;
        addresses = addresses(jvm.pid());
    }

    private static Set<InetAddress> addresses(long pid) {
        try {
            // If the process has ended, assume that it had the addresses of this process.
            return ProcessFacts.localAddresses(isRunning(pid) ? (int) pid : 0);
        } catch (IOException e) {
            return Set.of();
        }
    }

    private static boolean isRunning(long pid) {
        return Files.exists(Processes.directory(pid));
    }

    /** Whether an address belongs to the network namespace of the JVM. */
    boolean isLocal(InetAddress address) {
        return address.isLoopbackAddress() || addresses.contains(address);
    }

    /** Whether another network namespace of this host, which may be inspected, has an address. */
    boolean isElsewhere(InetAddress address) {
        return elsewhere().containsKey(address);
    }

    /**
     * The process that listens at an address of another network namespace of this host; 0 if there is none that may be
     * inspected, or several namespaces have such a listener.
     */
    long listenerElsewhere(InetAddress address, int port) {
        List<TcpTable.Socket> listeners = elsewhere().getOrDefault(address, List.of()).stream()
                .map(process -> TcpTable.of(Processes.directory(process)).listenerAt(address, port))
                .filter(Objects::nonNull)
                .toList();
        return listeners.size() == 1 ? owners().getOrDefault(listeners.get(0).inode(), 0L) : 0;
    }

    private Map<InetAddress, List<Long>> elsewhere() {
        if (elsewhere == null) {
            elsewhere = lookElsewhere();
        }
        return elsewhere;
    }

    private Map<InetAddress, List<Long>> lookElsewhere() {
        Map<InetAddress, List<Long>> found = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        try {
            seen.add(ProcessFacts.networkNamespace(isRunning(jvm.pid()) ? (int) jvm.pid() : 0));
        } catch (IOException e) {
            return found;
        }
        ProcessHandle.allProcesses().forEach(process -> {
            try {
                if (seen.add(ProcessFacts.networkNamespace((int) process.pid()))) {
                    ProcessFacts.localAddresses((int) process.pid())
                            .forEach(address -> found.computeIfAbsent(address, key -> new ArrayList<>())
                                    .add(process.pid()));
                }
            } catch (IOException e) {
                // The process has ended, or may not be inspected.
                return;
            }
        });
        return found;
    }

    /** The process that listens at an address. */
    Neighbour listenerAt(InetAddress address, int port) {
        return owner(jvm.tcp().listenerAt(address, port));
    }

    /** The process at the other end of a connection. */
    Neighbour otherEnd(TcpTable.Socket socket) {
        return owner(jvm.tcp().otherEnd(socket));
    }

    private Neighbour owner(TcpTable.Socket socket) {
        // A connection that is not accepted yet has no inode, and no user.
        if (socket == null || socket.inode() == 0) {
            return Neighbour.UNKNOWN;
        }
        return Neighbour.of(owners().getOrDefault(socket.inode(), 0L), socket.uid());
    }

    private Map<Long, Long> owners() {
        if (owners == null) {
            owners = Processes.ownersOfSockets();
        }
        return owners;
    }

    /** Whether a listener at a port of this network namespace can be met without a driver. */
    boolean offersRings(int port) {
        Path directory = isRunning(jvm.pid()) ? Processes.directory(jvm.pid()) : Path.of("/proc/self");
        try {
            return Files.readAllLines(directory.resolve("net/unix")).stream()
                    .anyMatch(line -> line.contains(RENDEZVOUS) && line.endsWith("/" + port));
        } catch (IOException e) {
            return false;
        }
    }
}
