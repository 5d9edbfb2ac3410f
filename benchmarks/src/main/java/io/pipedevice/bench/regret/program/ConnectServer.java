// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Some threads that each accept a connection, send its byte back, and wait for its end. */
final class ConnectServer implements Server {
    private final ServerSocketChannel listener = ServerSocketChannel.open().bind(Loopback.any(), Loopback.BACKLOG);

    ConnectServer(int threads) throws IOException {
        for (int i = 0; i < threads; i++) {
            Thread.ofPlatform().daemon().name("accept-" + i).start(this::serveAll);
        }
    }

    private void serveAll() {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        while (true) {
            try (SocketChannel channel = listener.accept()) {
                ChannelEcho.serve(ChannelIo.noDelay(channel), one);
            } catch (ClosedChannelException e) {
                // The program has closed the listener.
                return;
            } catch (IOException e) {
                Failure.report(e);
            }
        }
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener.socket().getLocalSocketAddress()).getPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
