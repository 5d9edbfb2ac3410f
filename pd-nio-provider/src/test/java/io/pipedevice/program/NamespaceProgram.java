// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A program of java.nio in a network namespace of its own, without any reference to PipeDevice. It does what its input
 * says, a line at a time, and answers with a line that begins with SAID. The connection of the last connect or accept
 * is the current one.
 */
public final class NamespaceProgram {
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static ServerSocketChannel server;
    private static SocketChannel current;

    /** Held, because a logger that is not referenced loses its level; null until a connection stays on the kernel. */
    private static Logger reasons;

    private NamespaceProgram() {}

    /**
     * Prints the reasons of connections that stay on the kernel, for the report of a test that fails. Not from the start
     * on, because a log takes a JVM some milliseconds.
     */
    private static void printReasons() {
        if (reasons == null) {
            ConsoleHandler handler = new ConsoleHandler();
            handler.setLevel(Level.FINE);
            reasons = Logger.getLogger("io.pipedevice");
            reasons.addHandler(handler);
            reasons.setLevel(Level.FINE);
        }
    }

    public static void main(String[] arguments) throws IOException {
        System.out.println("STARTED");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String answer;
            try {
                answer = serve(line.split(" "));
            } catch (IOException | RuntimeException e) {
                answer = e.toString();
            }
            System.out.println("SAID " + answer);
        }
    }

    private static String serve(String[] words) throws IOException {
        return switch (words[0]) {
            case "listen" -> listen(new InetSocketAddress(words[1], Integer.parseInt(words[2])));
            case "connect" -> connect(new InetSocketAddress(words[1], Integer.parseInt(words[2])));
            case "attempt" ->
                attempt(new InetSocketAddress(words[1], Integer.parseInt(words[2])), Integer.parseInt(words[3]));
            case "insist" -> insist(new InetSocketAddress(words[1], Integer.parseInt(words[2])));
            case "begin" -> begin(new InetSocketAddress(words[1], Integer.parseInt(words[2])));
            case "accept" -> accepted(server.accept());
            case "select" -> accepted(select());
            case "send" -> send(Integer.parseInt(words[1]));
            case "pour" -> pour(Integer.parseInt(words[1]));
            case "drain" -> drain();
            case "receive" -> receive(Integer.parseInt(words[1]));
            case "end" -> {
                current.shutdownOutput();
                yield "ENDED";
            }
            case "close" -> {
                current.close();
                yield "CLOSED";
            }
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private static String listen(InetSocketAddress at) throws IOException {
        server = ServerSocketChannel.open().bind(at);
        return "LISTENS";
    }

    private static String connect(InetSocketAddress to) throws IOException {
        current = SocketChannel.open();
        current.connect(to);
        return about(current);
    }

    /** Connects again and again until a server listens. */
    private static String insist(InetSocketAddress to) throws IOException {
        System.out.println("INSISTS");
        while (true) {
            try {
                return connect(to);
            } catch (ConnectException e) {
                current.close();
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    /** Connects with a timeout. */
    private static String attempt(InetSocketAddress to, int millis) throws IOException {
        current = SocketChannel.open();
        try {
            current.socket().connect(to, millis);
            return about(current);
        } finally {
            if (!current.isConnected()) {
                current.close();
            }
        }
    }

    private static String accepted(SocketChannel channel) throws IOException {
        current = channel;
        return about(current);
    }

    /** Connects by a selector. */
    private static String begin(InetSocketAddress to) throws IOException {
        current = SocketChannel.open();
        try (Selector selector = Selector.open()) {
            current.configureBlocking(false);
            if (!current.connect(to)) {
                SelectionKey key = current.register(selector, SelectionKey.OP_CONNECT);
                if (selector.select() == 0 || !key.isConnectable()) {
                    throw new IllegalStateException("a select that returned nothing");
                }
                // As Netty does: a key that is ready to connect finishes.
                if (!current.finishConnect()) {
                    return "not finished";
                }
            }
        }
        current.configureBlocking(true);
        return about(current);
    }

    private static SocketChannel select() throws IOException {
        SocketChannel accepted = null;
        try (Selector selector = Selector.open()) {
            server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            // As most programs: a key that is ready to accept has a connection.
            if (selector.select() == 0) {
                throw new IllegalStateException("a select that returned nothing");
            }
            selector.selectedKeys().clear();
            accepted = server.accept();
        }
        server.configureBlocking(true);
        return accepted;
    }

    private static String about(SocketChannel channel) throws IOException {
        String text = channel.toString();
        String way = text.endsWith(" rings]") ? "rings" : text.contains(" kernel") ? "kernel" : "tcp";
        if (way.equals("kernel")) {
            printReasons();
        }
        String reason = text.contains("(") ? text.substring(text.indexOf('('), text.indexOf(')') + 1) : "";
        String path = text.endsWith(" direct rings]") ? "direct" : text.endsWith(" device rings]") ? "device" : "none";
        return channel.getLocalAddress() + " " + channel.getRemoteAddress() + " " + way + reason.replace(' ', '-') + " "
                + path;
    }

    private static byte at(long position) {
        return (byte) (position * 31 + (position >> 8));
    }

    private static ByteBuffer bytes(int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(at(i));
        }
        return bytes.flip();
    }

    private static String send(int length) throws IOException {
        ByteBuffer bytes = bytes(length);
        while (bytes.hasRemaining()) {
            current.write(bytes);
        }
        return "SENT";
    }

    /** Sends by a selector. */
    private static String pour(int length) throws IOException {
        ByteBuffer bytes = bytes(length);
        try (Selector selector = Selector.open()) {
            current.configureBlocking(false).register(selector, SelectionKey.OP_WRITE);
            while (bytes.hasRemaining()) {
                selector.select();
                selector.selectedKeys().clear();
                current.write(bytes);
            }
        }
        current.configureBlocking(true);
        return "SENT";
    }

    /** Receives whatever comes, until the end. */
    private static String drain() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
        int length;
        do {
            length = current.read(bytes.clear());
        } while (length >= 0);
        return "END";
    }

    private static String receive(int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (current.read(bytes) < 0) {
                return "END after " + bytes.position();
            }
        }
        for (int i = 0; i < length; i++) {
            if (bytes.get(i) != at(i)) {
                return "wrong byte at " + i;
            }
        }
        return "RECEIVED";
    }
}
