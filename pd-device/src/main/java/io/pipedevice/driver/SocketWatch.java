// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.driver.control.ControlPlane;
import io.pipedevice.linux.DirectoryChanges;
import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.LinuxException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Checks that the name of the driver's socket leads to the driver, and listens again if another process has removed or
 * replaced the socket. Processes that are attached notice nothing. Where another driver has taken the directory, this
 * one leaves it alone until that one has ended.
 *
 * <p>inotify(7) says when to check; where it cannot be had, the check is made once a second. Belongs to the driver's
 * thread.
 */
final class SocketWatch implements AutoCloseable {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MS_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LimitedLog renewed = LimitedLog.warning(
            SocketWatch.class,
            "the driver''s socket in {0} was removed or replaced by others: the driver listens again");
    private final LimitedLog lost = LimitedLog.warning(
            SocketWatch.class, "the driver''s socket in {0} was removed or replaced by others, and stays so: {1}");

    /** Null for a driver without a directory. */
    private final LockedDirectory directory;

    private final ControlPlane control;

    /** Null if the kernel does not tell of changes, and before the first turn. */
    private DirectoryChanges changes;

    private boolean started;
    private boolean changed = true;
    private long checkedNs;

    /** Why the driver does not listen at its name; null while it does. */
    private String obstacle;

    /**
     * Begins to watch.
     *
     * @param directory of the driver; may be null
     * @param control accepts at its socket
     */
    SocketWatch(LockedDirectory directory, ControlPlane control) {
        this.directory = directory;
        this.control = control;
        this.checkedNs = System.nanoTime() - INTERVAL_NS;
    }

    private void start() {
        started = true;
        try {
            changes = DirectoryChanges.open();
            changes.add(directory.path());
        } catch (LinuxException e) {
            close();
        }
    }

    /** The next change wakes the driver again. Until then, others may change the directory as often as they like. */
    private void rearm() {
        if (changes != null) {
            try {
                changes.drain();
                control.watchDirectory(changes.fd(), () -> changed = true);
            } catch (LinuxException e) {
                close();
            }
        }
    }

    private boolean isDue() {
        return changed || obstacle != null || changes == null;
    }

    /** Checks, if there is reason to. */
    void turn(long nowNs) {
        if (directory == null || nowNs - checkedNs < INTERVAL_NS || !isDue()) {
            return;
        }
        checkedNs = nowNs;
        if (!started) {
            start();
        }
        if (changed) {
            changed = false;
            rearm();
        }
        if (directory.isInPlace()) {
            obstacle = null;
        } else {
            listenAgain();
        }
    }

    private void listenAgain() {
        try {
            control.listenTo(directory.listenAgain());
            obstacle = null;
            renewed.log(directory.path());
            if (changes != null) {
                // It may be another directory of this name.
                changes.add(directory.path());
            }
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(obstacle)) {
                obstacle = why;
                lost.log(directory.path(), why);
            }
        }
    }

    /** The time until {@link #turn} has something to do; -1 if only a change of the directory gives reason to. */
    long sleepMs(long nowNs) {
        if (directory == null || !isDue()) {
            return -1;
        }
        return Math.max(0, INTERVAL_NS - (nowNs - checkedNs)) / MS_NS + 1;
    }

    @Override
    public void close() {
        if (changes != null) {
            changes.close();
            changes = null;
        }
    }
}
