// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/** What a channel throws, in the words of java.net sockets. */
final class Failures {
    private Failures() {}

    /** For calls of an adaptor that change or connect something: misuse in words, the rest as it is. */
    static IOException ofCall(Exception e) {
        String words = words(e);
        if (words != null) {
            return because(words, e);
        }
        if (e instanceof IOException io) {
            return io;
        }
        throw (RuntimeException) e;
    }

    /** For options, whose failures are all SocketExceptions. */
    static SocketException ofOption(Exception e) {
        if (e instanceof SocketException socket) {
            return socket;
        }
        if (e instanceof RuntimeException misuse && words(e) == null) {
            throw misuse;
        }
        return because(e instanceof ClosedChannelException ? "Socket is closed" : String.valueOf(e.getMessage()), e);
    }

    private static SocketException because(String words, Exception cause) {
        return (SocketException) new SocketException(words).initCause(cause);
    }

    private static String words(Exception e) {
        if (e instanceof NotYetConnectedException) {
            return "Socket is not connected";
        }
        if (e instanceof AlreadyConnectedException) {
            return "Already connected";
        }
        if (e instanceof AlreadyBoundException) {
            return "Already bound";
        }
        if (e instanceof NotYetBoundException) {
            return "Socket is not bound yet";
        }
        if (e instanceof UnresolvedAddressException) {
            return "Unresolved address";
        }
        return e instanceof UnsupportedAddressTypeException ? "Unsupported address type" : null;
    }
}
