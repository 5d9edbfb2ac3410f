// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.broker.Broker;
import io.pipedevice.broker.BrokeredListener;
import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import sun.nio.ch.SelChImpl;

/**
 * A listener of the kernel's whose connections a driver introduces. It sends everything back, on rings and on the
 * kernel. Thread safe; its threads end with it, or with the process.
 */
public final class HonestServer implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final int MOST_SERVED = 64;
    private static final int PIECE = 2000;
    private static final long LOOK_NS = 1_000_000;

    private final PeerNetwork network = new PeerNetwork();
    private final ServerSocketChannel kernel;
    private final BrokeredListener<SocketChannel> listener;

    /** One permit for each connection that may be served at the same time. */
    private final Semaphore room = new Semaphore(MOST_SERVED);

    private volatile boolean closed;

    /** Begins to accept on the loopback interface. */
    public HonestServer(Broker.Endpoint driver) throws IOException {
        Broker broker = new Broker(driver, network);
        broker.join();
        kernel = ServerSocketChannel.open().bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0), BACKLOG);
        listener = broker.listen(address(), null, BACKLOG, HonestServer::close);
        start(this::acceptKernels);
        start(this::acceptRings);
    }

    /** Where it listens. */
    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) kernel.getLocalAddress();
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(Work work) {
        Thread.ofPlatform().daemon().name("honest server").start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                if (!closed) {
                    e.printStackTrace(System.out);
                    System.out.println("FAILED server: " + e);
                }
            }
        });
    }

    /** The program's descriptor of a channel's connection, for a driver to read. */
    static Fd socket(SocketChannel channel) throws IOException {
        return TcpPort.duplicate(((SelChImpl) channel).getFDVal(), (InetSocketAddress) channel.getLocalAddress());
    }

    private void acceptKernels() throws IOException {
        while (!closed) {
            SocketChannel channel = kernel.accept();
            try {
                InetSocketAddress from = (InetSocketAddress) channel.getRemoteAddress();
                Fd socket = socket(channel);
                if (!listener.hold(channel, socket, from.getPort())) {
                    socket.close();
                    serve(channel);
                }
            } catch (IOException e) {
                // The client has reset it.
                close(channel);
            }
        }
    }

    private void acceptRings() throws IOException {
        while (!closed) {
            BrokeredListener.Accepted<SocketChannel> accepted = listener.accept();
            if (accepted == null) {
                LockSupport.parkNanos(LOOK_NS);
            } else if (accepted.rings() != null) {
                if (accepted.kernel() != null) {
                    close(accepted.kernel());
                }
                serve(accepted.rings());
            } else {
                serve(accepted.kernel());
            }
        }
    }

    private void serve(PeerSocket socket) {
        if (!room.tryAcquire()) {
            socket.close();
            return;
        }
        start(() -> {
            try {
                PingPong.echo(socket);
            } catch (IOException | AssertionError e) {
                // The client may be a hostile one; an honest one notices.
                socket.close();
            } finally {
                room.release();
            }
        });
    }

    private void serve(SocketChannel channel) {
        if (!room.tryAcquire()) {
            close(channel);
            return;
        }
        start(() -> {
            try (channel) {
                ByteBuffer bytes = ByteBuffer.allocate(PIECE);
                while (channel.read(bytes.clear()) >= 0) {
                    bytes.flip();
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                }
            } catch (IOException e) {
                Thread.onSpinWait();
            } finally {
                room.release();
            }
        });
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        kernel.close();
        network.close();
    }
}
