// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.session;

import io.pipedevice.driver.account.Account;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.UnixSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A control connection. It has an {@link AttachedProcess} once its process has attached. Belongs to the driver's
 * thread, except for {@link #dispose}.
 */
final class ControlSession {
    /**
     * Limit of the unwanted descriptors of a process that are being closed, in addition to its connections. An honest
     * process never sends two at a time. A larger limit would let one process occupy too many of the closing threads.
     */
    private static final int MAX_CLOSING = 8;

    final long id;
    final UnixSocket socket;
    final long sinceNs = System.nanoTime();

    /** {@link ControlPlane}: number of the process's connections and of its descriptors that are being closed. */
    final AtomicInteger ofProcess;

    /** {@link ControlPlane}: the user to which the session is charged. */
    final int user;

    /** {@link ControlPlane}: whether the session has not ended. */
    boolean open = true;

    /** {@link Rounds}: the round in which the session was served last. */
    long round;

    /** {@link Rounds}: how often it was served in that round; the most, or more, once it had no message left. */
    int servings;

    AttachedProcess process;

    /** The account of the process's container; null until it has attached, or joined. */
    Account account;

    /** {@link AttachedProcesses}: whether the session only reads the counters. */
    boolean observes;

    /** {@link Introductions}: whether the session takes part in them. */
    boolean takesPart;

    /** {@link ControlExchange}: a message that is answered later; null if there is none. No other is received meanwhile. */
    ControlRequest pending;

    private final Disposal disposals;
    private final Disposal.Account disposal;

    ControlSession(long id, UnixSocket socket, Disposal disposal, AtomicInteger ofProcess, int user) {
        this.id = id;
        this.socket = socket;
        this.disposals = disposal;
        this.disposal = disposal.account(ofProcess);
        this.ofProcess = ofProcess;
        this.user = user;
    }

    boolean isStranger() {
        return process == null && !observes && !takesPart;
    }

    /**
     * Closes a descriptor that the other end sent. It counts as a connection of its process until it is closed, which
     * the sender can delay. Any thread.
     */
    void dispose(Fd unwanted) {
        ofProcess.incrementAndGet();
        disposal.close(unwanted, ofProcess::decrementAndGet);
    }

    /**
     * Closes a descriptor that the other end sent, and that is charged otherwise.
     *
     * @param owner those of others do not wait for it
     * @param afterwards runs when it is closed; any thread
     */
    void dispose(Fd unwanted, Object owner, Runnable afterwards) {
        disposals.account(owner).close(unwanted, afterwards);
    }

    /**
     * Closes a descriptor of a memory object, which no process can delay. It is done on another thread because it may
     * free much memory.
     */
    void close(Fd memory) {
        disposal.close(memory);
    }

    /** Whether more descriptors are being closed than an honest process sends. */
    boolean isClosingTooMany() {
        return ofProcess.get() > Admission.MAX_OF_PROCESS + MAX_CLOSING;
    }
}
