// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import java.util.Locale;

/**
 * Why a connection is not on rings: it stays on kernel TCP, or goes to a Unix-domain socket. A new reason gets a new number; number 4 was used once, and is not used again.
 */
public enum KernelReason {
    /** The other end is on another host. */
    PEER_NOT_LOCAL(0),
    /** No process at that address and port runs PipeDevice, or it uses another driver. */
    NO_RENDEZVOUS(1),
    /** The other end belongs to another user, or both ends to the user that stands for many. */
    OTHER_USER(2),
    /** There was no memory for rings, or a limit of connections was reached. */
    NO_MEMORY(3),
    /** The listener's backlog of accelerated connections was full, or its process had all the sockets it may have. */
    BACKLOG_FULL(5),
    /** There is no driver, or it went away. */
    DRIVER_GONE(6),
    /** The handshake of the two ends failed, for a reason that none of the others covers. */
    HANDSHAKE_FAILED(7),
    /** The client of an accepted connection does not run PipeDevice, or chose the kernel. */
    NOT_PIPEDEVICE_PEER(8),
    /** The kernel gave no address or port for this end. */
    NO_SOURCE_PORT(9),
    /** The process that offers rings at that address does not verifiably own the port. */
    OTHER_PROCESS(10),
    /**
     * There is a driver that this user may not use: the user may not write to its socket, or does not trust its owner.
     */
    DRIVER_NOT_PERMITTED(11),
    /**
     * The listener has SO_REUSEPORT, so that the kernel distributes its connections among all listeners of the port.
     */
    SHARED_PORT(12),
    /** A rule of the driver's policy keeps connections of the two processes on the kernel. */
    POLICY(13),
    /** This process, the other end's or the driver had no descriptor left for the connection. */
    NO_DESCRIPTORS(14),
    /** A rule of the user sends it to a Unix-domain socket, which is the kernel's too. */
    UNIX_RULE(15),
    /** A rule of the user names a Unix-domain socket that is not there, or refuses. */
    NO_UNIX_SOCKET(16);

    private final int id;

    KernelReason(int id) {
        this.id = id;
    }

    /** The number of this reason in the pages of all versions: from 0 to {@link StatPageDescriptor#REASONS} - 1. */
    int id() {
        return id;
    }

    /** The reason with a number, as a text for people. */
    static String text(int id) {
        for (KernelReason reason : values()) {
            if (reason.id == id) {
                return reason.text();
            }
        }
        return "reason " + id;
    }

    /**
     * Returns this reason as a text for people.
     *
     * @return its name in lower case, with spaces
     */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
