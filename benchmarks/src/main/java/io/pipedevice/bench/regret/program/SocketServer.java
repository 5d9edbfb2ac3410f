// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.ThreadFactory;

/** Accepts by a {@code ServerSocket}, and serves each connection on a thread of its own until the client ends it. */
final class SocketServer implements Server {
    /** What is done with a connection, until its end. */
    interface Handler {
        void handle(Socket socket) throws IOException;
    }

    private final ServerSocket listener = new ServerSocket();
    private final ThreadFactory threads;
    private final Handler handler;

    SocketServer(ThreadFactory threads, Handler handler) throws IOException {
        this.threads = threads;
        this.handler = handler;
        listener.bind(Loopback.any(), Loopback.BACKLOG);
        Thread.ofPlatform().daemon().name("accept").start(this::acceptAll);
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = listener.accept();
                threads.newThread(() -> serve(socket)).start();
            }
        } catch (SocketException e) {
            if (!listener.isClosed()) {
                Failure.report(e);
            }
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            handler.handle(socket);
        } catch (IOException e) {
            Failure.report(e);
        }
    }

    @Override
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
