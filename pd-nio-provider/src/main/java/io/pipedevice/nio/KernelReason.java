// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.util.Locale;

/** Why a connection stays on kernel TCP. The order is part of what JVMs publish: new ones are added at the end. */
enum KernelReason {
    /** The other end is on another host. */
    PEER_NOT_LOCAL,
    /** Nobody at that address and port runs PipeDevice, or not on the same driver. */
    NO_RENDEZVOUS,
    /** The other end belongs to another user. */
    OTHER_USER,
    /** Memory or descriptors for rings could not be had. */
    NO_MEMORY,
    /** The driver's policy forbids it. */
    POLICY,
    /** The listener's queue of accelerated connections was full. */
    BACKLOG_FULL,
    /** There is no driver, or it went away. */
    DRIVER_GONE,
    /** The two ends could not agree, for a reason that none of the others covers. */
    HANDSHAKE_FAILED,
    /** Accepted from a client that does not run PipeDevice, or that chose the kernel. */
    NOT_PIPEDEVICE_PEER;

    /** As people write it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
