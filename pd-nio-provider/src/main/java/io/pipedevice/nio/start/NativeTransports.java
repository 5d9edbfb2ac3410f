// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import io.pipedevice.nio.stat.Statistics;
import java.util.function.Predicate;

/**
 * Netty's own transports, which bypass java.nio. A program asks one of these classes whether its transport is
 * available. The class finds out when it is initialised, and opens a selector before anything else; that is how it is
 * seen here, wherever Netty was relocated to, and no other class costs anything. Thread safe.
 */
public final class NativeTransports {
    /** How the names of the classes end: of Netty 4 and 5, and of the incubator's io_uring. */
    private static final String[] NAMES = {".channel.epoll.Epoll", ".channel.uring.IoUring", ".channel.uring.IOUring"};

    private static final String INITIALISER = "<clinit>";

    /** The initialiser is among the first callers, but for frames of other agents. */
    private static final int CALLERS = 24;

    /** Null without the agent, or if the user wants no switch. Set by the agent before the first selector. */
    private static volatile Predicate<String> transportSwitch;

    private NativeTransports() {}

    /**
     * Has a program told that these transports are unavailable.
     *
     * @param change of the class of a name; false if it was not possible
     */
    public static void switchBy(Predicate<String> change) {
        transportSwitch = change;
    }

    /** A selector is about to be opened. */
    static void selectorOpens() {
        Predicate<String> change = transportSwitch;
        if (change == null) {
            return;
        }
        StackTraceElement[] callers = new Throwable().getStackTrace();
        for (int i = 0; i < Math.min(CALLERS, callers.length); i++) {
            if (callers[i].getMethodName().equals(INITIALISER)) {
                switchOff(change, callers[i].getClassName());
            }
        }
    }

    private static void switchOff(Predicate<String> change, String initialised) {
        for (String name : NAMES) {
            if (initialised.endsWith(name) && change.test(initialised)) {
                Statistics.switched(initialised);
            }
        }
    }
}
