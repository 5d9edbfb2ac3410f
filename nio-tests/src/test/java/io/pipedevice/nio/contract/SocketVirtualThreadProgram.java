// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/**
 * The program that {@link SocketVirtualThreadsTest} runs in a JVM with one carrier. If a virtual thread is pinned in a
 * call of a socket, or a connection is not on rings, it ends with an exception; if a thread holds the carrier, it
 * hangs.
 */
final class SocketVirtualThreadProgram {
    private static final int CLIENTS = 60;
    private static final int LARGE = 8_000_000;
    private static final int TIMEOUT_MILLIS = 100_000;

    private final Pairing pairing;
    private final ServerSocket server;
    private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Closeable> opened = new ConcurrentLinkedQueue<>();
    private final Queue<String> pinned = new ConcurrentLinkedQueue<>();

    private SocketVirtualThreadProgram(Pairing pairing) throws IOException {
        this.pairing = pairing;
        this.server = kept(pairing.serverSockets().openServer());
        server.bind(new InetSocketAddress(pairing.serverHost(), 0), CLIENTS);
    }

    public static void main(String[] args) throws Exception {
        new SocketVirtualThreadProgram(Pairing.valueOf(args[0])).play();
    }

    private void play() throws Exception {
        // Classes are initialised here: a thread that waits for that is pinned, in the JDK's sockets, too.
        converse(1);
        try (RecordingStream recording = new RecordingStream()) {
            recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
            recording.onEvent("jdk.VirtualThreadPinned", this::note);
            recording.startAsync();
            converse(CLIENTS);
            writeMuch();
            recording.stop();
        }
        for (Closeable each : opened) {
            each.close();
        }
        if (!pinned.isEmpty()) {
            throw new AssertionError(pinned.toString());
        }
    }

    private void note(RecordedEvent event) {
        String stack = event.getStackTrace().getFrames().stream()
                .map(frame -> frame.getMethod().getType().getName() + "."
                        + frame.getMethod().getName())
                .collect(Collectors.joining(" < "));
        if (stack.contains("io.pipedevice")) {
            pinned.add(stack);
        }
    }

    /** Clients connect, all of them wait for an answer, and get one. */
    private void converse(int clients) throws Exception {
        Future<List<Socket>> accepting = virtual.submit(() -> accept(clients));
        List<Future<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int timeout = i % 2 * TIMEOUT_MILLIS;
            waiting.add(virtual.submit(() -> ask(timeout)));
        }
        int sum = 0;
        for (Socket each : accepting.get()) {
            virtual.submit(() -> {
                        each.getOutputStream().write(each.getInputStream().read() + 1);
                        return null;
                    })
                    .get();
        }
        for (Future<Integer> each : waiting) {
            sum += each.get();
        }
        if (sum != 8 * clients) {
            throw new AssertionError("answers " + sum);
        }
    }

    private List<Socket> accept(int count) throws IOException {
        List<Socket> accepted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            server.setSoTimeout(i % 2 * TIMEOUT_MILLIS);
            accepted.add(onRings(server.accept()));
        }
        return accepted;
    }

    private int ask(int timeout) throws IOException {
        Socket client = connect(server.getLocalSocketAddress(), timeout);
        client.setSoTimeout(timeout);
        client.getOutputStream().write(7);
        return client.getInputStream().read();
    }

    private Socket connect(SocketAddress to, int timeout) throws IOException {
        Socket client = pairing.clientSockets().open();
        client.connect(to, timeout);
        return onRings(client);
    }

    private Socket onRings(Socket socket) {
        if (!NetSockets.onRings(socket)) {
            throw new AssertionError(socket + " is not on rings");
        }
        return kept(socket);
    }

    /** Writers wait for room, and readers for bytes. */
    private void writeMuch() throws Exception {
        List<Future<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Future<List<Socket>> accepting = virtual.submit(() -> accept(1));
            Socket client = virtual.submit(() -> connect(server.getLocalSocketAddress(), 0))
                    .get();
            Socket accepted = accepting.get().get(0);
            calls.add(virtual.submit(() -> {
                client.getOutputStream().write(new byte[LARGE]);
                return LARGE;
            }));
            calls.add(virtual.submit(() -> accepted.getInputStream().readNBytes(LARGE).length));
        }
        for (Future<Integer> call : calls) {
            if (call.get() != LARGE) {
                throw new AssertionError("moved " + call.get());
            }
        }
    }

    private <T extends Closeable> T kept(T socket) {
        opened.add(socket);
        return socket;
    }
}
