// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.util.Locale;

/** Why a connection stays on kernel TCP. New ones get new numbers; 4 was one that there is no more. */
enum KernelReason {
    /** The other end is on another host. */
    PEER_NOT_LOCAL(0),
    /** Nobody at that address and port runs PipeDevice, or not on the same driver. */
    NO_RENDEZVOUS(1),
    /** The other end belongs to another user, or both to the one that stands for many. */
    OTHER_USER(2),
    /** Memory or descriptors for rings could not be had. */
    NO_MEMORY(3),
    /** The listener's queue of accelerated connections was full, or its process had all the sockets it may have. */
    BACKLOG_FULL(5),
    /** There is no driver, or it went away. */
    DRIVER_GONE(6),
    /** The two ends could not agree, for a reason that none of the others covers. */
    HANDSHAKE_FAILED(7),
    /** Accepted from a client that does not run PipeDevice, or that chose the kernel. */
    NOT_PIPEDEVICE_PEER(8),
    /** The kernel gave no address or port for this end. */
    NO_SOURCE_PORT(9),
    /** Who offers rings at that address is not seen to have its port. */
    OTHER_PROCESS(10);

    private final int id;

    KernelReason(int id) {
        this.id = id;
    }

    /** Names it in what JVMs publish, whatever their versions: from 0 to {@link StatPageDescriptor#REASONS} - 1. */
    int id() {
        return id;
    }

    /** The reason with a number, as people write it. */
    static String text(int id) {
        for (KernelReason reason : values()) {
            if (reason.id == id) {
                return reason.text();
            }
        }
        return "reason " + id;
    }

    /** As people write it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
