// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.lib.ControlMessage;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A control connection: first only a socket, a container's once it has attached. Belongs to the driver's thread, except for
 * {@link #dispose}.
 */
final class ControlSession {
    /**
     * Unwanted descriptors of a process that are being closed, beside its connections: an honest one sends no two at a
     * time, and more would keep too many of the threads that close.
     */
    private static final int MAX_CLOSING = 8;

    final long id;
    final UnixSocket socket;
    final long sinceNs = System.nanoTime();

    /** {@link ControlPlane}: the connections of its process, and its descriptors that are being closed. */
    final AtomicInteger ofProcess;

    /** {@link ControlPlane}: who it counts for. */
    final int user;

    /** {@link ControlPlane}: whether it has not ended. */
    boolean open = true;

    Container container;

    /** {@link Containers}: whether it only looks at the counters. */
    boolean observes;

    /** {@link Attachments}: of a process that is about to become a container. */
    Arrival arrival;

    /** {@link Prerequisites}: whether its large rings and addresses were looked after before the postponed message. */
    boolean prepared;

    /** {@link Prerequisites}: whether what was posted before the postponed message has been taken. */
    boolean drained;

    /** {@link ControlExchange}: a message that is handled later, and what came along; nothing is received meanwhile. */
    ControlMessage postponed;

    ReceivedFds postponedFds;

    private final Disposal.Account disposal;

    ControlSession(long id, UnixSocket socket, Disposal disposal, AtomicInteger ofProcess, int user) {
        this.id = id;
        this.socket = socket;
        this.disposal = disposal.account(ofProcess);
        this.ofProcess = ofProcess;
        this.user = user;
    }

    boolean isStranger() {
        return container == null && !observes;
    }

    /**
     * Closes a descriptor that the other end sent. Until it is closed, which its sender can delay, it counts as a connection
     * of its process. Any thread.
     */
    void dispose(Fd unwanted) {
        ofProcess.incrementAndGet();
        disposal.close(unwanted, ofProcess::decrementAndGet);
    }

    /** Whether more descriptors are being closed than an honest process sends. */
    boolean isClosingTooMany() {
        return ofProcess.get() > Admission.MAX_OF_PROCESS + MAX_CLOSING;
    }
}
