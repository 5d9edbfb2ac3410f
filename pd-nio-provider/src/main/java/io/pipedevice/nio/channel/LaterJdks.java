// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.net.ConnectException;

/** What later JDKs do differently from JDK 25, so that channels and sockets do what those of their own JDK do. */
final class LaterJdks {
    private static final String OF_A_WAIT = " (connect failed)";

    /** Whether the message of a connect says that it failed while a thread waited for it; since JDK 27. */
    private static final boolean NAMES_WAITS = Runtime.version().feature() >= 27;

    private LaterJdks() {}

    /** The exception of a connect that waits in poll(2), where the JDK's waits there too, and not in connect(2). */
    static Exception ofWaitingConnect(Exception e) {
        String message = String.valueOf(e.getMessage());
        if (!NAMES_WAITS || e.getClass() != ConnectException.class || message.endsWith(OF_A_WAIT)) {
            return e;
        }
        return (Exception) new ConnectException(message + OF_A_WAIT).initCause(e);
    }
}
