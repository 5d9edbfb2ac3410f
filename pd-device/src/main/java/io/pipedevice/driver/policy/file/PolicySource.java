// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.policy.Limits;
import io.pipedevice.driver.policy.Party;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.policy.Ruling;
import io.pipedevice.linux.LazyLogger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The policy of a driver, which may be a file that changes. A thread of its own looks at the text twice a second, so
 * that it does not matter how the file changes: in place, by another file of its name, or by a symbolic link on the way
 * to it, as Kubernetes changes a ConfigMap. A text counts when two looks have found the same, because a file may be
 * seen while it is being written. A text that is no policy changes nothing.
 *
 * <p>The driver's thread asks; {@link #watch} and {@link #close} are called by the thread that starts the driver and
 * ends it.
 */
public final class PolicySource implements Policy, AutoCloseable {
    private static final System.Logger LOG = new LazyLogger(PolicySource.class).get();
    private static final long LOOK_MS = 500;

    private final String name;
    private final Path file;
    private volatile Policy current;
    private final AtomicLong reloads = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private Thread thread;

    /** The text of the current policy, or one that was refused. Belongs to the thread that looks. */
    private byte[] known;

    /** The content that the last look has found. Belongs to that thread, too. */
    private byte[] seen;

    /** How many looks have found no file since one has. Belongs to that thread, too. */
    private int misses;

    private PolicySource(String name, Path file, byte[] known, Policy current) {
        this.name = name;
        this.file = file;
        this.known = known;
        this.seen = known;
        this.current = current;
    }

    /**
     * A policy that does not change.
     *
     * @param name of the policy
     * @param policy any
     * @return the source
     */
    public static PolicySource fixed(String name, Policy policy) {
        return new PolicySource(name, null, null, policy);
    }

    /**
     * Reads a file.
     *
     * @param file of the policy
     * @return its source
     * @throws PolicyException if it is no policy; the message has the file and the line
     */
    public static PolicySource of(Path file) throws PolicyException {
        byte[] bytes = PolicyFile.bytes(file);
        return new PolicySource(file.toAbsolutePath().toString(), file, bytes, PolicyFile.parse(file, bytes));
    }

    @Override
    public Ruling rule(Party client, Party server) {
        return current.rule(client, server);
    }

    @Override
    public boolean isFixed() {
        return file == null && current.isFixed();
    }

    @Override
    public Limits limits(Identity process) {
        return current.limits(process);
    }

    /**
     * The name of the policy.
     *
     * @return the path of its file, or a word
     */
    public String name() {
        return name;
    }

    @Override
    public int size() {
        return current.size();
    }

    /**
     * The policy in force.
     *
     * @return another object after each change
     */
    public Policy current() {
        return current;
    }

    /**
     * How often a changed file was read, with success or without.
     *
     * @return 0 or more
     */
    public long changes() {
        return reloads.get() + failures.get();
    }

    /**
     * How often another policy came into force.
     *
     * @return 0 or more
     */
    public long reloads() {
        return reloads.get();
    }

    /**
     * How often a changed file was no policy.
     *
     * @return 0 or more
     */
    public long failures() {
        return failures.get();
    }

    /**
     * Looks for changes from now on. Called once.
     *
     * @param changed runs on another thread after each change and each refusal
     */
    public void watch(Runnable changed) {
        if (file == null) {
            return;
        }
        thread = new Thread(() -> run(changed), "pd-policy");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Runnable changed) {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
                if (look()) {
                    changed.run();
                }
            }
        } catch (InterruptedException e) {
            // The driver ends.
            Thread.currentThread().interrupt();
        }
    }

    /** Looks at the file once; whether it has changed or was refused. */
    boolean look() {
        byte[] found;
        try {
            found = PolicyFile.bytes(file);
            misses = 0;
        } catch (PolicyException e) {
            misses++;
            return misses == 2 && refuse(e.getMessage());
        }
        boolean isStable = Arrays.equals(found, seen);
        seen = found;
        if (!isStable || Arrays.equals(found, known)) {
            return false;
        }
        known = found;
        try {
            current = PolicyFile.parse(file, found);
        } catch (PolicyException e) {
            return refuse(e.getMessage());
        } catch (RuntimeException | Error e) {
            // A defect. The thread has to live on.
            return refuse(file + ": " + e);
        }
        reloads.incrementAndGet();
        LOG.log(Level.INFO, "{0} has changed: new connections follow it", file);
        return true;
    }

    private boolean refuse(String why) {
        failures.incrementAndGet();
        LOG.log(Level.WARNING, "{0}; the policy before it stays in force", why);
        return true;
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
