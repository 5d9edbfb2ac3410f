// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.lib.PdSource;
import io.pipedevice.nio.PipeDeviceSelectorProvider;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Calls what may take descriptors, while the process has few or none left, and prints the results. The only argument is
 * whose channels and sockets it uses.
 */
final class NoDescriptorsProgram {
    /** Results are printed for so many descriptors that are left, and for fewer. */
    static final int MOST_LEFT = 8;

    static final String JDK = "jdk";
    static final String PIPEDEVICE = "pipedevice";
    static final String DONE = "done";

    private static final int TIMEOUT_MILLIS = 60_000;

    private final SelectorProvider provider;
    private final NetSockets sockets;
    private final Deque<Closeable> opened = new ArrayDeque<>();

    private NoDescriptorsProgram(boolean ofJdk) {
        // With the usual timeout: without descriptors a listener may not answer at all.
        provider = ofJdk ? Providers.JDK : new PipeDeviceSelectorProvider();
        sockets = ofJdk ? NetSockets.JDK : NetSockets.of(provider, null);
    }

    /** A call that is prepared while there are descriptors. */
    private interface Prepared {
        Call prepare() throws IOException;
    }

    private interface Call {
        /** Returns null or an object to close. */
        Closeable call() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        loadAll();
        new NoDescriptorsProgram(arguments[0].equals(JDK)).run();
        System.out.println(DONE);
    }

    /** Loads all classes now: one whose loading fails for lack of a descriptor stays missing. */
    private static void loadAll() throws Exception {
        for (Class<?> each : List.of(PipeDeviceSelectorProvider.class, PdSource.class)) {
            Path root = Path.of(
                    each.getProtectionDomain().getCodeSource().getLocation().toURI());
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.toList()) {
                    String name = root.relativize(file).toString();
                    if (name.matches("io/pipedevice/(lib|linux|memory|peer|wait|nio|broker|client)/[^-]*\\.class")) {
                        Class.forName(name.substring(0, name.length() - 6).replace('/', '.'));
                    }
                }
            }
        }
    }

    private void run() throws Exception {
        Map<String, Prepared> calls = calls();
        // With descriptors, so that everything is loaded and linked.
        for (Prepared each : calls.values()) {
            result(each, Integer.MAX_VALUE);
        }
        for (int left = MOST_LEFT; left >= 0; left--) {
            for (Map.Entry<String, Prepared> each : calls.entrySet()) {
                System.out.println(left + " " + each.getKey() + ": " + result(each.getValue(), left));
            }
        }
    }

    private String result(Prepared prepared, int left) throws IOException {
        Call call = prepared.prepare();
        List<Closeable> hoard = left == Integer.MAX_VALUE ? List.of() : hoard(left);
        Closeable made = null;
        String result;
        try {
            made = call.call();
            result = "ok";
        } catch (Exception e) {
            result = e.getClass().getName() + ": " + e.getMessage();
        }
        for (Closeable each : hoard) {
            each.close();
        }
        if (made != null) {
            made.close();
        }
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        return result;
    }

    private static List<Closeable> hoard(int left) throws IOException {
        List<Closeable> hoard = new ArrayList<>();
        try {
            while (true) {
                hoard.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // No descriptor is left.
            for (int i = 0; i < left; i++) {
                hoard.removeLast().close();
            }
            return hoard;
        }
    }

    private Map<String, Prepared> calls() {
        Map<String, Prepared> calls = new LinkedHashMap<>();
        calls.put("Selector.open", () -> provider::openSelector);
        calls.put("SocketChannel.open", () -> provider::openSocketChannel);
        calls.put("ServerSocketChannel.open", () -> provider::openServerSocketChannel);
        calls.put("Socket", () -> sockets::open);
        calls.put("ServerSocket", () -> sockets::openServer);
        for (boolean kernel : new boolean[] {true, false}) {
            String from = kernel ? " of a client on the kernel" : " of a client of the same provider";
            calls.put("ServerSocketChannel.accept" + from, () -> called(kernel)::accept);
            calls.put("ServerSocketChannel.accept without waiting" + from, () -> acceptingNow(called(kernel)));
            calls.put("accept of an adaptor" + from, () -> called(kernel).socket()::accept);
            calls.put("accept of an adaptor with a timeout" + from, () -> acceptingFor(called(kernel)));
            calls.put("ServerSocket.accept" + from, () -> calledSocket(kernel, 0)::accept);
            calls.put("ServerSocket.accept with a timeout" + from, () -> calledSocket(kernel, TIMEOUT_MILLIS)::accept);
            String to = kernel ? " to a server on the kernel" : " to a server of the same provider";
            calls.put("SocketChannel.connect" + to, () -> connecting(kernel));
            calls.put("Socket.connect" + to, () -> connectingSocket(kernel));
        }
        calls.put("select", this::selecting);
        calls.put("blocking read", this::reading);
        return calls;
    }

    private <T extends Closeable> T later(T resource) {
        opened.push(resource);
        return resource;
    }

    private static InetSocketAddress any() {
        return new InetSocketAddress(Contract.LOOPBACK, 0);
    }

    private SelectorProvider peers(boolean kernel) {
        return kernel ? Providers.JDK : provider;
    }

    /** A server that a client has connected to. */
    private ServerSocketChannel called(boolean kernel) throws IOException {
        ServerSocketChannel server = later(provider.openServerSocketChannel()).bind(any());
        later(peers(kernel).openSocketChannel()).connect(server.getLocalAddress());
        return server;
    }

    private static Call acceptingNow(ServerSocketChannel server) throws IOException {
        server.configureBlocking(false);
        Readiness.await(server, SelectionKey.OP_ACCEPT);
        return server::accept;
    }

    private static Call acceptingFor(ServerSocketChannel server) throws IOException {
        server.socket().setSoTimeout(TIMEOUT_MILLIS);
        return server.socket()::accept;
    }

    private ServerSocket calledSocket(boolean kernel, int timeoutMillis) throws IOException {
        ServerSocket server = later(sockets.openServer());
        server.bind(any());
        server.setSoTimeout(timeoutMillis);
        later(peers(kernel).openSocketChannel()).connect(server.getLocalSocketAddress());
        return server;
    }

    private ServerSocketChannel listener(boolean kernel) throws IOException {
        return later(peers(kernel).openServerSocketChannel()).bind(any());
    }

    private Call connecting(boolean kernel) throws IOException {
        ServerSocketChannel server = listener(kernel);
        SocketChannel client = later(provider.openSocketChannel());
        return () -> {
            client.connect(server.getLocalAddress());
            return null;
        };
    }

    private Call connectingSocket(boolean kernel) throws IOException {
        ServerSocketChannel server = listener(kernel);
        Socket client = later(sockets.open());
        return () -> {
            client.connect(server.getLocalAddress());
            return null;
        };
    }

    private record Ends(SocketChannel client, SocketChannel server) {}

    /** Its peer is on the kernel: a peer on rings would lack descriptors, too, which ends the link after a while. */
    private Ends connected() throws IOException {
        ServerSocketChannel server = listener(true);
        SocketChannel client = later(provider.openSocketChannel());
        client.connect(server.getLocalAddress());
        return new Ends(client, later(server.accept()));
    }

    private Call selecting() throws IOException {
        Ends ends = connected();
        Selector selector = later(provider.openSelector());
        ends.client.configureBlocking(false);
        return () -> {
            ends.client.register(selector, SelectionKey.OP_READ);
            selector.selectNow();
            Thread writer = writer(ends.server);
            selector.select(TIMEOUT_MILLIS);
            writer.join();
            if (selector.selectedKeys().isEmpty()) {
                throw new AssertionError("the select has found nothing");
            }
            return null;
        };
    }

    private Call reading() throws IOException {
        Ends ends = connected();
        return () -> {
            Thread writer = writer(ends.server);
            ends.client.read(ByteBuffer.allocate(1));
            writer.join();
            return null;
        };
    }

    private static Thread writer(SocketChannel to) {
        return Thread.ofPlatform().start(() -> {
            try {
                Thread.sleep(20);
                Bytes.send(to, "x");
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }
}
