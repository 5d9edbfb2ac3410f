// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/**
 * A logger that is looked up for its first line. The first lookup starts the program's log, and a log may go over the
 * network: it would ask for a provider of channels that is still being made, or wait for a class of ours that waits for it.
 *
 * <p>Thread safe.
 */
public final class LazyLogger {
    private final String name;

    /** Null before the first line. */
    private volatile System.Logger logger;

    /**
     * Creates one for the lines of a class.
     *
     * @param type whose name is the logger's
     */
    public LazyLogger(Class<?> type) {
        this(type.getName());
    }

    /**
     * Creates one.
     *
     * @param name the logger's
     */
    public LazyLogger(String name) {
        this.name = name;
    }

    /**
     * The logger itself, which the first call looks up.
     *
     * @return the logger
     */
    public System.Logger get() {
        System.Logger found = logger;
        if (found == null) {
            found = System.getLogger(name);
            logger = found;
        }
        return found;
    }
}
