// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.identity;

import io.pipedevice.linux.PeerProcess;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UserIds;
import io.pipedevice.protocol.ContainerName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;

/**
 * The identity of a process. It comes from the kernel only: SO_PEERCRED of unix(7), and the namespaces, the control
 * group and the addresses under /proc/PID. The process itself supplies none of it. Belongs to the driver's thread.
 */
public final class Identity {
    /** Fewest digits of a container ID that name the container. */
    public static final int MIN_DIGITS = 8;

    private static final int MAX_SOURCES = 8;

    private final int pid;
    private final int uid;
    private final long startTime;
    private final long networkNamespace;
    private final long userNamespace;
    private final ControlGroup controlGroup;
    private final Routes.Known routes = new Routes.Known();
    private AddressBook.Addresses addresses;

    /** Null before it is needed. */
    private String containerName;

    private Identity(int pid, int uid) throws IOException {
        this.pid = pid;
        this.uid = uid;
        this.startTime = ProcessFacts.startTime(pid);
        this.networkNamespace = ProcessFacts.networkNamespace(pid);
        this.userNamespace = ProcessFacts.userNamespace(pid);
        this.controlGroup = ControlGroup.of(pid);
    }

    /**
     * Queries the identity of the other end. Does not read the addresses, because there may be many
     * ({@link AddressBook}).
     *
     * @param socket the driver's end of a control connection
     * @return the identity, without addresses
     * @throws IOException if the process is gone, or the driver cannot see it
     */
    public static Identity withoutAddresses(UnixSocket socket) throws IOException {
        UnixSocket.Credentials credentials = socket.peerCredentials();
        try (PeerProcess process = PeerProcess.of(socket)) {
            if (credentials.pid() == 0) {
                // In /proc this number would mean the driver itself.
                throw new IOException("the process is in a PID namespace that the driver cannot see");
            }
            Identity identity = new Identity(credentials.pid(), credentials.uid());
            process.requireSame();
            return identity;
        }
    }

    /**
     * Inspects a process that is not attached, for a person.
     *
     * @param pid its number
     * @return the identity, with all addresses of its network namespace
     * @throws IOException if there is no such process, or it may not be inspected
     */
    public static Identity ofProcess(int pid) throws IOException {
        Identity identity = new Identity(pid, ProcessFacts.effectiveUid(pid));
        identity.addresses = AddressBook.Addresses.of(identity.networkNamespace, ProcessFacts.localAddresses(pid));
        return identity;
    }

    /**
     * The process.
     *
     * @return its number in the driver's PID namespace
     */
    public int pid() {
        return pid;
    }

    /**
     * When the process started.
     *
     * @return in the kernel's ticks
     */
    public long startTime() {
        return startTime;
    }

    /**
     * Whether two processes belong to the same user; false for users that the driver cannot distinguish.
     *
     * @param other any
     * @return whether both are the same known user
     */
    public boolean isSameUser(Identity other) {
        return UserIds.isSame(uid, other.uid);
    }

    /**
     * The network namespace.
     *
     * @return its inode
     */
    public long networkNamespace() {
        return networkNamespace;
    }

    /**
     * The user namespace.
     *
     * @return its inode
     */
    public long userNamespace() {
        return userNamespace;
    }

    /**
     * The control group in which the process was when it attached.
     *
     * @return as the driver's cgroup namespace names it
     */
    public ControlGroup controlGroup() {
        return controlGroup;
    }

    /**
     * The unit that limits and accounts count as one container: all processes with one container ID. Processes without
     * one are told apart by their unit of systemd, network namespace and user.
     *
     * @return the ID, or text of the form {@code UNIT,net=INODE,user=UID}; not changed by a restart of the driver
     */
    public String container() {
        return controlGroup.containerId() != null
                ? controlGroup.containerId()
                : controlGroup.unit() + ",net=" + networkNamespace + ",user=" + Integer.toUnsignedString(uid);
    }

    /**
     * The container in messages to processes.
     *
     * @return the {@linkplain ContainerName name} of {@link #container}
     */
    public String containerName() {
        if (containerName == null) {
            containerName = ContainerName.of(container());
        }
        return containerName;
    }

    /**
     * Whether another process calls this one's container by a text.
     *
     * @param text at least {@value #MIN_DIGITS} digits of the beginning of the ID; without an ID, {@link #container} or
     *     its name
     * @return whether this is the container, or one of several
     */
    public boolean isInContainer(String text) {
        String id = controlGroup.containerId();
        return id == null
                ? text.equals(container()) || text.equals(containerName())
                : text.length() >= MIN_DIGITS && id.startsWith(text);
    }

    /** Checks that the pid was not reused, and that the process is still in the same namespace. Any thread. */
    void checkUnchanged() throws IOException {
        if (ProcessFacts.networkNamespace(pid) != networkNamespace || ProcessFacts.startTime(pid) != startTime) {
            throw new IOException("process " + pid + " ended, or left its network namespace");
        }
    }

    /**
     * The user.
     *
     * @return its number in the driver's user namespace
     */
    public int uid() {
        return uid;
    }

    AddressBook.Addresses addresses() {
        return addresses;
    }

    void addresses(AddressBook.Addresses lent) {
        addresses = lent;
    }

    /**
     * Whether an address is known to be one of the process's own.
     *
     * @param address any
     * @return true for loopback and wildcard addresses, too
     */
    public boolean owns(InetAddress address) {
        return address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || addresses.known().contains(address);
    }

    /**
     * The addresses of the process's network namespace, as far as they were read.
     *
     * @return empty before that
     */
    public Set<InetAddress> knownAddresses() {
        return addresses == null ? Set.of() : addresses.known();
    }

    /** The results of {@link Routes} for the addresses. */
    Routes.Known routes() {
        return routes;
    }

    /**
     * Finds the source address of a connection to another namespace: an address that leads back to this process.
     *
     * @param peer the address to which the connection goes
     * @param known the routes
     * @return the address, or null if none of the first few leads back
     */
    public InetAddress sourceFor(InetAddress peer, Routes known) {
        int candidates = 0;
        for (InetAddress address : addresses.known()) {
            if (!address.isLoopbackAddress()
                    && !address.isLinkLocalAddress()
                    && address.getClass() == peer.getClass()) {
                if (known.leadTo(this, address)) {
                    return address;
                }
                if (++candidates == MAX_SOURCES) {
                    return null;
                }
            }
        }
        return null;
    }

    /**
     * The wildcard address, which includes IPv4.
     *
     * @return ::
     */
    public static InetAddress wildcard() {
        return address(new byte[16]);
    }

    /**
     * The loopback address of the same family.
     *
     * @param address any
     * @return 127.0.0.1 or ::1
     */
    public static InetAddress loopbackLike(InetAddress address) {
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
