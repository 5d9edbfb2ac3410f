// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.broker.Broker;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.linux.Disposal;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.link.Sweeper;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.wait.WaitProbe;
import io.pipedevice.test.Bystander;
import io.pipedevice.test.Heap;
import io.pipedevice.test.HonestClient;
import io.pipedevice.test.HonestServer;
import io.pipedevice.test.TestAddresses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that serves all clients of its listener, and connects to a fuzzer's listener. It prints the PORT of its
 * listener. With a driver's directory as its argument it also serves clients that the driver introduces, prints the
 * port of that listener, CLAIMS, and has the driver introduce it to the fuzzer. It reads the commands {@code connect
 * PORT}, {@code claim PORT} and {@code look}, to which the answers are the number of idle BELLS that it keeps, and the
 * HEAP that it uses, in KB. It prints FAILED after a failure that no peer can cause.
 */
final class FuzzedPeer {
    /** The address of honest clients, whose bytes are sent back. */
    static final String HONEST = "7f000002";

    private static final int HANDSHAKE_MS = 300;
    private static final int MOST_WAITING = 64;
    private static final int STEPS = 300;
    private static final int LOCALS = 8;
    private static final long PAUSE_NS = 500_000;

    private final PeerNetwork network = new PeerNetwork(HANDSHAKE_MS, PortRule.KERNEL, new Disposal(), new Sweeper());
    private final PeerListener listener;
    private final ConcurrentLinkedQueue<PeerSocket> strange = new ConcurrentLinkedQueue<>();
    private final List<HeldPort> locals = new ArrayList<>();

    /** The port of the fuzzer's listener, 0 if it is not known yet. */
    private volatile int port;

    /** The port of the fuzzer's listener for introduced clients, 0 if it is not known yet. */
    private volatile int claimPort;

    private FuzzedPeer(InetSocketAddress address) throws IOException {
        listener = network.listen(address, 64);
        for (int i = 0; i < LOCALS; i++) {
            locals.add(HeldPort.of("7f000001"));
        }
    }

    @SuppressWarnings("try")
    public static void main(String[] arguments) throws IOException {
        try (ServerSocketChannel kernels = ServerSocketChannel.open().bind(TestAddresses.loopback(0))) {
            FuzzedPeer peer = new FuzzedPeer((InetSocketAddress) kernels.getLocalAddress());
            start("accept", peer::accept);
            start("serve", peer::serve);
            start("connect", peer::connect);
            System.out.println("PORT " + peer.listener.address().getPort());
            if (arguments.length > 0) {
                Broker.Endpoint driver = DriverDirectory.at(Path.of(arguments[0]))::connect;
                System.out.println(
                        "CLAIMS " + new HonestServer(driver).address().getPort());
                start("claim", () -> peer.claim(new HonestClient(driver, 1)));
            }
            peer.obey();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(String name, Work work) {
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                e.printStackTrace(System.out);
                System.out.println("FAILED " + name + ": " + e);
            }
        });
    }

    private void obey() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.equals("look")) {
                long heap = Heap.usedKb();
                System.out.println("BELLS " + WaitProbe.idleBells());
                System.out.println("HEAP " + heap);
            } else if (line.startsWith("claim ")) {
                claimPort = Integer.parseInt(line.substring("claim ".length()));
            } else {
                port = Integer.parseInt(line.substring("connect ".length()));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private void accept() throws IOException {
        while (true) {
            PeerSocket socket = listener.accept(Long.MAX_VALUE);
            if (socket == null) {
                continue;
            }
            if (socket.peerAddress()
                    .getAddress()
                    .equals(TestAddresses.of(HONEST, 0).getAddress())) {
                start("echo", () -> echo(socket));
            } else if (strange.size() < MOST_WAITING) {
                strange.add(socket);
            } else {
                socket.close();
            }
        }
    }

    /** Ignores failures, because a fuzzer may claim to be honest. */
    private static void echo(PeerSocket socket) {
        try {
            Bystander.echo(socket);
        } catch (IOException e) {
            Thread.onSpinWait();
        }
    }

    private void serve() throws IOException {
        BesiegedProgram program = new BesiegedProgram(strange::poll, 1);
        while (true) {
            program.step();
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void connect() throws IOException {
        for (long seed = 0; ; seed++) {
            int now = port;
            if (now != 0) {
                connect(TestAddresses.loopback(now), seed);
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Has the driver introduce connections to the fuzzer, which may break them off at any place. */
    private void claim(HonestClient client) {
        while (true) {
            int now = claimPort;
            if (now != 0) {
                try {
                    client.once(TestAddresses.loopback(now));
                } catch (IOException | AssertionError e) {
                    // The fuzzer does not send back what it should.
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Connects with a new network each time, which does not remember earlier failures. */
    private void connect(InetSocketAddress to, long seed) throws IOException {
        try (PeerNetwork own = new PeerNetwork(HANDSHAKE_MS, PortRule.KERNEL, new Disposal(), new Sweeper())) {
            boolean[] refused = new boolean[1];
            int[] count = new int[1];
            BesiegedProgram program = new BesiegedProgram(
                    () -> {
                        try {
                            HeldPort port = locals.get(count[0]++ % LOCALS);
                            return own.meet(to).connect(port.address(), port.fd(), to);
                        } catch (PeerRefusal e) {
                            refused[0] = true;
                            return null;
                        }
                    },
                    seed);
            try {
                for (int i = 0; i < STEPS && !refused[0]; i++) {
                    program.step();
                    LockSupport.parkNanos(PAUSE_NS);
                }
            } finally {
                program.close();
            }
        }
    }
}
