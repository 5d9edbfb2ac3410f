// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * A program without any reference to PipeDevice. It executes its arguments, prints that it is ready, and keeps
 * everything open until its input ends: {@code serve} prints a port and accepts one connection, {@code connect PORT}
 * uses a channel, {@code asynchronous PORT} an asynchronous one and {@code socket PORT} a socket, {@code map FILE} maps
 * a file as a library is mapped, {@code accept} waits for the connection of serve; {@code listen} and {@code take} are
 * serve and accept with sockets, {@code open} opens a channel, {@code bind HOST} is serve at another address, to which
 * {@code connect HOST:PORT} connects, {@code shared} lets later servers share their ports.
 */
public final class HoldingProgram {
    private final List<Object> held = new ArrayList<>();
    private ServerSocketChannel server;
    private ServerSocket sockets;

    private boolean isShared;

    private HoldingProgram() {}

    public static void main(String[] args) throws Exception {
        HoldingProgram program = new HoldingProgram();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "serve" -> program.serve(at("0"));
                case "bind" -> program.serve(new InetSocketAddress(args[++i], 0));
                case "accept" -> program.held.add(program.server.accept());
                case "shared" -> program.isShared = true;
                case "open" -> program.held.add(ServerSocketChannel.open());
                case "listen" -> program.listen();
                case "take" -> program.held.add(program.sockets.accept());
                case "connect" -> program.held.add(SocketChannel.open(at(args[++i])));
                case "asynchronous" -> program.asynchronous(at(args[++i]));
                case "socket" -> program.socket(at(args[++i]));
                case "map" -> program.map(Path.of(args[++i]));
                default -> throw new IllegalArgumentException(args[i]);
            }
        }
        System.out.println("ready");
        System.in.transferTo(System.out);
        System.out.println("ends " + program.held.size());
    }

    private static InetSocketAddress at(String port) {
        int colon = port.indexOf(':');
        return colon < 0
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port))
                : new InetSocketAddress(port.substring(0, colon), Integer.parseInt(port.substring(colon + 1)));
    }

    private void serve(InetSocketAddress address) throws IOException {
        server = ServerSocketChannel.open();
        if (isShared) {
            server.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        }
        server.bind(address);
        System.out.println(server.socket().getLocalPort());
    }

    private void listen() throws IOException {
        sockets = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        System.out.println(sockets.getLocalPort());
    }

    private void asynchronous(InetSocketAddress to) throws IOException, InterruptedException, ExecutionException {
        AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
        channel.connect(to).get();
        held.add(channel);
    }

    private void socket(InetSocketAddress to) throws IOException {
        held.add(new Socket(to.getAddress(), to.getPort()));
    }

    private void map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            held.add(channel.map(FileChannel.MapMode.READ_ONLY, 0, 1));
        }
    }
}
