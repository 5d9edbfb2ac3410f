// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/**
 * A logger that is looked up when it logs its first line. The first lookup starts the program's log, which may use the
 * network. A lookup in a static initializer would then need a channel provider that is still being created, or deadlock
 * with the initialization of another class.
 *
 * <p>Thread safe.
 */
public final class LazyLogger {
    private final String name;

    /** Null before the first line. */
    private volatile System.Logger logger;

    /**
     * Creates a logger for a class.
     *
     * @param type its name is the logger's name
     */
    public LazyLogger(Class<?> type) {
        this(type.getName());
    }

    /**
     * Creates a logger.
     *
     * @param name the logger's name
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
