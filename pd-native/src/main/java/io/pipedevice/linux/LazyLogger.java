// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.util.ResourceBundle;

/**
 * A logger that is looked up when it logs its first line. The first lookup starts the program's log, which may use the
 * network. A lookup in a static initializer would then need a channel provider that is still being created, or deadlock
 * with the initialization of another class.
 *
 * <p>What the program's log throws, whether an exception or an error, goes no further: no thread ends, and no call
 * fails, because a line cannot be written.
 *
 * <p>Thread safe.
 */
public final class LazyLogger {
    private final String name;
    private final Guarded guarded = new Guarded();

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
     * The logger, which throws nothing. Its first line looks the program's one up.
     *
     * @return the logger, always the same
     */
    public System.Logger get() {
        return guarded;
    }

    /** The program's logger itself, which may throw anything. The first call looks it up. */
    System.Logger unguarded() {
        System.Logger found = logger;
        if (found == null) {
            found = System.getLogger(name);
            logger = found;
        }
        return found;
    }

    /**
     * Calls the program's logger. It is a {@code System.Logger} because the JDK does not take the methods of one for
     * the place from which a line comes.
     */
    private final class Guarded implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            try {
                return unguarded().isLoggable(level);
            } catch (RuntimeException | Error e) {
                return false;
            }
        }

        @Override
        public void log(Level level, String line) {
            try {
                unguarded().log(level, line);
            } catch (RuntimeException | Error e) {
                lost(e);
            }
        }

        @Override
        public void log(Level level, String line, Throwable thrown) {
            try {
                unguarded().log(level, line, thrown);
            } catch (RuntimeException | Error e) {
                lost(e);
            }
        }

        @Override
        public void log(Level level, String format, Object... parameters) {
            try {
                unguarded().log(level, format, parameters);
            } catch (RuntimeException | Error e) {
                lost(e);
            }
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String line, Throwable thrown) {
            try {
                unguarded().log(level, bundle, line, thrown);
            } catch (RuntimeException | Error e) {
                lost(e);
            }
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            try {
                unguarded().log(level, bundle, format, parameters);
            } catch (RuntimeException | Error e) {
                lost(e);
            }
        }

        /** There is no place left to report it. */
        private void lost(Throwable unused) {}
    }
}
