// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Uses sockets and channels, and prints the flight recorder's events of them. The only argument says whose they are,
 * and those of their peers.
 */
final class SocketEventsProgram {
    static final String JDK = "jdk";

    /** PipeDevice's, with peers of the JDK's. */
    static final String ON_KERNEL = "kernel";

    /** PipeDevice's, with peers of PipeDevice's. */
    static final String ON_RINGS = "rings";

    static final String DONE = "done";

    /** The streams of the sockets of channels. */
    static final String ADAPTOR = "stream of an adaptor";

    private static final String READ = "jdk.SocketRead";
    private static final String WRITE = "jdk.SocketWrite";
    private static final int LARGE = 3 << 20;
    private static final int SHORT_MILLIS = 20;

    private final SelectorProvider provider;
    private final SelectorProvider peers;
    private final NetSockets sockets;

    private SocketEventsProgram(String mode) {
        provider = mode.equals(JDK) ? Providers.JDK : Providers.PIPEDEVICE;
        peers = mode.equals(ON_RINGS) ? Providers.PIPEDEVICE : Providers.JDK;
        sockets = mode.equals(JDK) ? NetSockets.JDK : NetSockets.of(Providers.PIPEDEVICE, null);
    }

    /** Uses one end of a connection whose other end is the JDK's. */
    private interface Use {
        void of(Socket socket, SocketChannel peer) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        SocketEventsProgram program = new SocketEventsProgram(arguments[0]);
        program.socket("stream of a socket", SocketEventsProgram::useStreams);
        program.acceptedSocket("stream of an accepted socket", SocketEventsProgram::useStreams);
        program.adaptor(ADAPTOR, SocketEventsProgram::useStreams);
        program.adaptor("channel", (socket, peer) -> useChannel(socket.getChannel(), peer));
        System.out.println(DONE);
        System.exit(0);
    }

    private static InetSocketAddress any() {
        return new InetSocketAddress(Contract.LOOPBACK, 0);
    }

    private void socket(String name, Use use) throws Exception {
        try (ServerSocketChannel listener = peers.openServerSocketChannel().bind(any());
                Socket socket = sockets.open()) {
            socket.connect(listener.getLocalAddress());
            record(name, socket, listener.accept(), use);
        }
    }

    private void acceptedSocket(String name, Use use) throws Exception {
        try (ServerSocket listener = sockets.openServer();
                SocketChannel peer = peers.openSocketChannel()) {
            listener.bind(any());
            peer.connect(listener.getLocalSocketAddress());
            record(name, listener.accept(), peer, use);
        }
    }

    private void adaptor(String name, Use use) throws Exception {
        try (ServerSocketChannel listener = peers.openServerSocketChannel().bind(any());
                SocketChannel channel = provider.openSocketChannel()) {
            channel.connect(listener.getLocalAddress());
            record(name, channel.socket(), listener.accept(), use);
        }
    }

    private void record(String name, Socket socket, SocketChannel peer, Use use) throws Exception {
        if (peers.equals(Providers.PIPEDEVICE) && !peer.toString().endsWith(" rings]")) {
            throw new AssertionError(peer);
        }
        Path file = Files.createTempFile("events", ".jfr");
        int port = socket.getPort();
        try (Recording recording = new Recording()) {
            for (String event : List.of(READ, WRITE)) {
                recording.enable(event).withThreshold(Duration.ZERO).with("throttle", "off");
            }
            recording.start();
            use.of(socket, peer);
            recording.stop();
            recording.dump(file);
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                String type = event.getEventType().getName();
                if (List.of(READ, WRITE).contains(type) && event.getInt("port") == port) {
                    System.out.println(name + ": " + type + " " + event.getString("host") + " "
                            + event.getString("address") + " " + text(event));
                }
            }
        } finally {
            Files.delete(file);
            socket.close();
            peer.close();
        }
    }

    private static String text(RecordedEvent event) {
        return event.hasField("bytesRead")
                ? event.getLong("bytesRead")
                        + (event.getBoolean("endOfStream") ? " end " : " ")
                        + event.getLong("timeout")
                : "" + event.getLong("bytesWritten");
    }

    private static void useStreams(Socket socket, SocketChannel peer) throws Exception {
        InputStream input = socket.getInputStream();
        OutputStream output = socket.getOutputStream();
        output.write(1);
        output.write(new byte[1000]);
        peer.read(ByteBuffer.allocate(1001));
        Bytes.send(peer, "abc");
        input.read();
        input.read(new byte[10]);
        // Both have to wait.
        Thread writer = later(() -> Bytes.send(peer, "waited"));
        input.read(new byte[10]);
        writer.join();
        Thread reader = later(() -> Bytes.receive(peer, LARGE));
        output.write(new byte[LARGE]);
        reader.join();
        socket.setSoTimeout(SHORT_MILLIS);
        try {
            input.read();
            throw new AssertionError("there is nothing to read");
        } catch (SocketTimeoutException e) {
            Bytes.send(peer, "timed");
        }
        socket.setSoTimeout((int) TimeUnit.MINUTES.toMillis(1));
        input.read(new byte[10]);
        peer.shutdownOutput();
        input.read();
        input.read(new byte[10]);
    }

    private static void useChannel(SocketChannel channel, SocketChannel peer) throws Exception {
        channel.write(Bytes.ascii("abc"));
        channel.write(new ByteBuffer[] {Bytes.ascii("de"), Bytes.ascii("f")});
        Thread writer = later(() -> Bytes.send(peer, "waited"));
        channel.read(ByteBuffer.allocate(10));
        writer.join();
        Bytes.send(peer, "scattered");
        channel.read(new ByteBuffer[] {ByteBuffer.allocate(3), ByteBuffer.allocate(10)});
        Thread reader = later(() -> Bytes.receive(peer, 6 + LARGE));
        channel.write(ByteBuffer.allocate(LARGE));
        reader.join();
        channel.configureBlocking(false);
        channel.read(ByteBuffer.allocate(10));
        peer.shutdownOutput();
        Readiness.awaitReadable(channel);
        channel.read(ByteBuffer.allocate(10));
    }

    private interface Step {
        void run() throws IOException;
    }

    private static Thread later(Step step) {
        return Thread.ofPlatform().start(() -> {
            try {
                Thread.sleep(SHORT_MILLIS);
                step.run();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }
}
