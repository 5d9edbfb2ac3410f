// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import io.pipedevice.linux.LazyLogger;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;

/**
 * Logs the reason for each connection that stays on the kernel. The program's log takes tens of milliseconds to start,
 * and most programs discard these lines. So a separate thread starts the log, and the lines wait meanwhile. In a
 * program that was started with a configuration of the log, the first line starts it. Thread safe.
 */
public final class KernelLog {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    /** The most lines that wait; a thread that has one more waits until the log has started. */
    private static final int MOST_WAITING = 256;

    /** How long after the first line the log is started. */
    private static final long DELAY_MS = 10;

    private static volatile boolean isStarted = isConfigured();

    /** Null before the first line; guarded by the class. */
    private static ArrayDeque<Line> waiting;

    private KernelLog() {}

    private static boolean isConfigured() {
        return System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null;
    }

    /**
     * A connection, of either side.
     *
     * @param from the client's address; null if this side has connected
     * @param to the server's address
     * @param detail details of the reason; null if there are none
     */
    private record Line(InetSocketAddress from, InetSocketAddress to, KernelReason reason, String detail) {
        void say() {
            if (!LOG.get().isLoggable(System.Logger.Level.DEBUG)) {
                return;
            }
            String connection =
                    from == null ? "a connection to " + to : "a connection from " + from + " at port " + to.getPort();
            String more = detail == null ? "" : " (" + detail + ")";
            String way = reason == KernelReason.UNIX_RULE ? " is not TCP: " : " stays on the kernel: ";
            LOG.get().log(System.Logger.Level.DEBUG, connection + way + reason.text() + more);
        }
    }

    /** Starts the log, and logs the lines that waited for it. */
    private static final class Start implements Runnable {
        @Override
        public void run() {
            try {
                // Wait first, so that class loading on this thread does not slow down the first connection.
                Thread.sleep(DELAY_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            start();
        }
    }

    /**
     * Logs that this end connects through the kernel, which may yet refuse the connection.
     *
     * @param to the server's address
     * @param reason why it stays on the kernel
     * @param detail details of the reason; null if there are none
     */
    public static void connects(InetSocketAddress to, KernelReason reason, String detail) {
        say(new Line(null, to, reason, detail));
    }

    /**
     * Logs that a client connected through the kernel.
     *
     * @param from the client's address
     * @param at the address that accepted the connection
     * @param reason why it stays on the kernel
     */
    public static void accepted(InetSocketAddress from, InetSocketAddress at, KernelReason reason) {
        say(new Line(from, at, reason, null));
    }

    private static void say(Line line) {
        if (isStarted || !waits(line)) {
            line.say();
        }
    }

    private static synchronized boolean waits(Line line) {
        if (isStarted) {
            return false;
        }
        if (waiting == null) {
            waiting = new ArrayDeque<>();
            startAside();
        }
        return !isStarted && waiting.size() < MOST_WAITING && waiting.add(line);
    }

    private static void startAside() {
        try {
            Thread thread = new Thread(null, new Start(), "pd-log", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            thread.start();
        } catch (RuntimeException | Error e) {
            // No thread can be created: each thread that has a line starts the log itself.
            isStarted = true;
        }
    }

    /** Starts the log, and logs the lines that waited for it. */
    static void start() {
        try {
            LOG.get();
        } finally {
            for (Line line = nextWaiting(); line != null; line = nextWaiting()) {
                line.say();
            }
        }
    }

    private static synchronized Line nextWaiting() {
        Line line = waiting == null ? null : waiting.poll();
        isStarted |= line == null;
        return line;
    }
}
