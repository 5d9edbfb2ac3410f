// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.linux.LazyLogger;
import java.net.InetSocketAddress;

/** Says in the log of each connection that is left to the kernel why it is. */
final class KernelLog {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    private KernelLog() {}

    /**
     * This end connects through the kernel, which may yet refuse.
     *
     * @param detail null if there is no more to say than the reason
     */
    static void connects(InetSocketAddress to, KernelReason reason, String detail) {
        if (LOG.get().isLoggable(System.Logger.Level.DEBUG)) {
            String more = detail == null ? "" : " (" + detail + ")";
            say("a connection to " + to, reason.text() + more);
        }
    }

    /** The other end came through the kernel. */
    static void accepted(InetSocketAddress from, InetSocketAddress at, KernelReason reason) {
        if (LOG.get().isLoggable(System.Logger.Level.DEBUG)) {
            say("a connection from " + from + " at port " + at.getPort(), reason.text());
        }
    }

    private static void say(String connection, String why) {
        LOG.get().log(System.Logger.Level.DEBUG, connection + " stays on the kernel: " + why);
    }
}
