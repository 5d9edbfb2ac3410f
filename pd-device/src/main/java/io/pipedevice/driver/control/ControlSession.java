// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

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
public final class ControlSession {
    /**
     * Limit of the unwanted descriptors of a process that are being closed, in addition to its connections. An honest
     * process never sends two at a time. A larger limit would let one process occupy too many of the closing threads.
     */
    private static final int MAX_CLOSING = 8;

    /** Its number, which no other session of the driver has. */
    public final long id;

    /** The driver's end; closed when the session ends. */
    public final UnixSocket socket;

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

    /**
     * {@link ControlExchange}: a message that is answered later; null if there is none. No other is received meanwhile.
     */
    ControlRequest pending;

    private AttachedProcess process;
    private Account account;
    private boolean observes;
    private boolean takesPart;
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

    /**
     * Whether the session has not ended.
     *
     * @return false if its socket is closed
     */
    public boolean isOpen() {
        return open;
    }

    /** The process at the other end has attached. */
    void attached(AttachedProcess attached, Account of) {
        process = attached;
        account = of;
    }

    /** The other end only reads the counters. */
    void observes() {
        observes = true;
    }

    /**
     * The process at the other end takes part in introductions, and does not attach.
     *
     * @param of its container
     */
    public void takesPart(Account of) {
        takesPart = true;
        account = of;
    }

    /**
     * Whether the process at the other end takes part in introductions.
     *
     * @return true once it has joined
     */
    public boolean takesPart() {
        return takesPart;
    }

    /**
     * The process that has attached.
     *
     * @return null if none has
     */
    public AttachedProcess process() {
        return process;
    }

    /**
     * The account of the process's container.
     *
     * @return null until it has attached, or joined
     */
    public Account account() {
        return account;
    }

    boolean isStranger() {
        return process == null && !observes && !takesPart;
    }

    /**
     * Closes a descriptor that the other end sent. It counts as a connection of its process until it is closed, which
     * the sender can delay. Any thread.
     *
     * @param unwanted taken over
     */
    public void dispose(Fd unwanted) {
        ofProcess.incrementAndGet();
        disposal.close(unwanted, ofProcess::decrementAndGet);
    }

    /**
     * Closes a descriptor that the other end sent, and that is charged otherwise.
     *
     * @param unwanted taken over
     * @param owner those of others do not wait for it
     * @param afterwards runs when it is closed; any thread
     */
    public void dispose(Fd unwanted, Object owner, Runnable afterwards) {
        disposals.account(owner).close(unwanted, afterwards);
    }

    /**
     * Closes a descriptor of a memory object, which no process can delay. It is done on another thread because it may
     * free much memory.
     *
     * @param memory taken over
     */
    public void close(Fd memory) {
        disposal.close(memory);
    }

    /** Whether more descriptors are being closed than an honest process sends. */
    boolean isClosingTooMany() {
        return ofProcess.get() > Admission.MAX_OF_PROCESS + MAX_CLOSING;
    }
}
