// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.LazyLogger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * A TCP port that a listener without java.nio holds, so that clients can see that the port is the listener's. It serves
 * no connection: a virtual thread accepts each TCP connection and resets it, until the port is closed. Thread safe;
 * closed by its owner.
 */
final class ListeningPort implements AutoCloseable {
    private static final LazyLogger LOG = new LazyLogger(ListeningPort.class);
    private static final int BACKLOG = 16;
    private static final long RETRY_MS = 100;

    private final ServerSocket socket;

    private ListeningPort(ServerSocket socket) {
        this.socket = socket;
    }

    /** @param local null for any port of all addresses */
    static ListeningPort open(InetSocketAddress local) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(local, BACKLOG);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
        ListeningPort port = new ListeningPort(socket);
        Thread.ofVirtual().name("pd-port").start(port::resetAll);
        return port;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    private void resetAll() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                client.setSoLinger(true, 0);
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    LOG.get().log(Level.DEBUG, "cannot accept a TCP connection: {0}", e.getMessage());
                    pause();
                }
            }
        }
    }

    /** Waits before the next attempt: the process may be out of descriptors. */
    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MS);
        } catch (InterruptedException e) {
            throw new AssertionError("no thread can interrupt this one", e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
