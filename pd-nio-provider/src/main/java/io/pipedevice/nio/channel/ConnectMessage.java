// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import sun.nio.ch.DefaultSelectorProvider;

/**
 * The message of a connect that failed, as this JDK has it. JDK 27.0.1, 25.0.5 and 21.0.13 say that a connect failed
 * while a thread waited for it, and some releases between them do not: this JVM's own channels show what it does.
 */
final class ConnectMessage {
    private static final String OF_A_WAIT = " (connect failed)";

    /** The kernel refuses at once. */
    private static final int MOST_MILLIS = 1000;

    /** Initialised by the first connect that fails. */
    private static final class Example {
        static final boolean NAMES_WAITS = String.valueOf(message()).endsWith(OF_A_WAIT);

        /** The message of the JDK's own if a connect that waits in poll(2) is refused; null if that is not known. */
        private static String message() {
            try (SocketChannel refuses = DefaultSelectorProvider.get().openSocketChannel();
                    SocketChannel refused = DefaultSelectorProvider.get().openSocketChannel()) {
                // A socket that is bound and does not listen keeps its port from others.
                refuses.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                refused.socket().connect(refuses.getLocalAddress(), MOST_MILLIS);
                return null;
            } catch (ConnectException e) {
                return e.getMessage();
            } catch (IOException | RuntimeException e) {
                return null;
            }
        }
    }

    private ConnectMessage() {}

    /** The exception of a connect that waits in poll(2), where the JDK's waits there too, and not in connect(2). */
    static Exception ofWaitingConnect(Exception e) {
        String message = String.valueOf(e.getMessage());
        if (e.getClass() != ConnectException.class || message.endsWith(OF_A_WAIT) || !Example.NAMES_WAITS) {
            return e;
        }
        return (Exception) new ConnectException(message + OF_A_WAIT).initCause(e);
    }
}
