// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.linux.LazyLogger;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;

/**
 * Says in the log of each connection that is left to the kernel why it is. To start the program's log takes tens of
 * milliseconds, as a rule for lines that nobody wants: unless the program was started with a configuration of the log, a
 * thread of its own does so, and the lines wait meanwhile. Thread safe.
 */
final class KernelLog {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    /** The most lines that wait; whoever has one more waits itself. */
    private static final int MOST_WAITING = 256;

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
     * @param from null if this side has connected
     * @param to the server's address
     * @param detail null if there is no more to say than the reason
     */
    private record Line(InetSocketAddress from, InetSocketAddress to, KernelReason reason, String detail) {
        void say() {
            if (!LOG.get().isLoggable(System.Logger.Level.DEBUG)) {
                return;
            }
            String connection =
                    from == null ? "a connection to " + to : "a connection from " + from + " at port " + to.getPort();
            String more = detail == null ? "" : " (" + detail + ")";
            LOG.get().log(System.Logger.Level.DEBUG, connection + " stays on the kernel: " + reason.text() + more);
        }
    }

    /** Starts the log, and says what has waited for that. */
    private static final class Start implements Runnable {
        @Override
        public void run() {
            start();
        }
    }

    /**
     * This end connects through the kernel, which may yet refuse.
     *
     * @param detail null if there is no more to say than the reason
     */
    static void connects(InetSocketAddress to, KernelReason reason, String detail) {
        say(new Line(null, to, reason, detail));
    }

    /** The other end came through the kernel. */
    static void accepted(InetSocketAddress from, InetSocketAddress at, KernelReason reason) {
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
            // Without a thread to be had, whoever has a line starts the log.
            isStarted = true;
        }
    }

    /** Has the log started from now on. */
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
