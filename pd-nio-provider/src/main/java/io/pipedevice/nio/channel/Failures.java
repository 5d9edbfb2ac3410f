// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/** Translates the exceptions of a channel to those of the sockets of java.net. */
final class Failures {
    private Failures() {}

    /** The exception of a call of an adaptor: a SocketException for misuse, otherwise the channel's own. */
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

    /**
     * The exception of a call of a socket of java.net: a SocketException, or one about a timeout or an interrupt. After
     * an interrupt {@link java.net.Socket} closes itself, and throws another one.
     */
    static IOException ofSocket(Exception e) {
        if (e instanceof NotYetConnectedException) {
            return because("Not connected", e);
        }
        if (e instanceof UnsupportedAddressTypeException) {
            // All addresses of java.net are of IPv4 or IPv6, and every socket supports IPv4.
            return because("IPv6 protocol family unavailable", e);
        }
        IOException failure = ofCall(e);
        if (failure instanceof ClosedByInterruptException) {
            return (IOException) new InterruptedIOException("Closed by interrupt").initCause(failure);
        }
        if (failure instanceof ClosedChannelException) {
            return because("Socket closed", failure);
        }
        return failure instanceof SocketException || failure instanceof InterruptedIOException
                ? failure
                : because(failure.getMessage(), failure);
    }

    /**
     * The exception of an accept, or of urgent data, of a socket of java.net. Of those calls alone, the kernel's errors
     * are no SocketExceptions.
     */
    static IOException ofKernelCall(Exception e) {
        return e.getClass() == IOException.class ? (IOException) e : ofSocket(e);
    }

    /** The exception of an option, which is always a SocketException. */
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
