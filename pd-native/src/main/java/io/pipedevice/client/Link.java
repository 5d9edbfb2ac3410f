// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;

/**
 * The state of the connection to the driver. After the driver has gone or has broken the protocol, every call of the
 * attachment fails with the same message, and no call reads the driver's memory. Thread safe.
 */
final class Link {
    private static final LazyLogger LOG = new LazyLogger(Link.class);
    private static final LimitedLog BROKEN = LimitedLog.warning(Link.class, "{0}");

    private final UnixSocket control;
    private volatile String failure;
    private int errno;

    /** A link whose control connection is its owner's to close. */
    Link(UnixSocket control) {
        this.control = control;
    }

    /** Marks the link as broken, and returns the exception for the caller to throw; the first reason stays. */
    synchronized PdException fail(int why, String reason) {
        if (failure == null) {
            errno = why;
            failure = reason;
            BROKEN.log(reason);
            hangUp();
        }
        return PdException.saying(errno, failure);
    }

    /**
     * Ends the connection, which a live driver must see for the sake of the peers, and every thread that sleeps here.
     */
    private void hangUp() {
        try {
            control.shutdown(true, true);
        } catch (LinuxException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "the control connection is closed already: {0}", e.getMessage());
        }
    }

    /** Marks the end of the link by the program itself. */
    synchronized void release(int why) {
        if (failure == null) {
            errno = why;
            failure = "this PipeDevice was released";
        }
    }

    PdException gone() {
        return fail(Errno.ENODEV, "PD Driver is gone, or has detached this process (its log says why)");
    }

    /** Takes the reason for which the driver detached this process, or refused it. */
    PdException dismissed(int status, String reason) {
        if (status == Errno.EMFILE || status == Errno.ENFILE || status == Errno.EPERM) {
            return fail(status, "PD Driver does not let this process in: " + reason);
        }
        return fail(Errno.ENODEV, "PD Driver is gone for this process, which it detached: " + reason);
    }

    PdException nonsense(String what) {
        return fail(Errno.EPROTO, "PD Driver broke the protocol: " + what);
    }

    boolean isBroken() {
        return failure != null;
    }

    void check() throws PdException {
        if (failure != null) {
            throw fail(0, "");
        }
    }
}
