// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process with one thread blocked in each call that can block; each thread has the call's name. Argument: the
 * driver's directory. Prints how each call ended.
 */
final class BlockedProcess {
    /** Calls that wait for an event of a socket. */
    static final List<String> WAITING = List.of("recv", "malloc", "send", "accept", "epoll");

    /** Calls that wait for the driver's answer, after a line of input. */
    static final List<String> ASKING = List.of("connect", "attach");

    /** Calls that are made when the driver is gone. */
    static final List<String> LATER = List.of("recv after the data", "socket", "second epoll");

    private static final int RING = 4096;
    private static final int MOST_SENDS = PdSocket.MAX_BLOCKS;

    private final List<Thread> threads = new ArrayList<>();
    private final ControlEndpoint driver;
    private final PipeDevice device;

    private BlockedProcess(ControlEndpoint driver, PipeDevice device) {
        this.driver = driver;
        this.device = device;
    }

    /** A call that can only fail. */
    interface Call {
        Object run() throws PdException;
    }

    public static void main(String[] arguments) throws Exception {
        ControlEndpoint driver = DriverDirectory.at(Path.of(arguments[0]));
        try (PipeDevice device = PipeDevice.init(driver)) {
            new BlockedProcess(driver, device).run();
        }
    }

    private void run() throws Exception {
        PdSocket[] arrived = pair();
        fill(arrived[0], "last words".getBytes(StandardCharsets.US_ASCII));
        receive(arrived[1], 5);
        // Make the calls that need the driver's answer before the first thread sleeps.
        Call recv = recv();
        Call malloc = malloc();
        Call send = send();
        Call epoll = epoll();
        PdSocket listener = listener();
        PdSocket connecting = device.socket();
        PdSocket target = listener();
        block("recv", recv);
        block("malloc", malloc);
        block("send", send);
        block("accept", () -> listener.accept(PipeDevice.FOREVER));
        block("epoll", epoll);
        if (System.in.read() < 0) {
            System.exit(3);
        }
        block("connect", () -> {
            connecting.connect(target.localAddress());
            return "connected";
        });
        block("attach", () -> PipeDevice.init(driver));
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("received " + receive(arrived[1], 5));
        report("recv after the data", () -> arrived[1].recv(1, new PdBuffer(), PipeDevice.FOREVER));
        report("socket", device::socket);
        report("second epoll", device::epoll);
    }

    private Call recv() throws PdException {
        PdSocket[] pair = pair();
        return () -> pair[1].recv(1, new PdBuffer(), PipeDevice.FOREVER);
    }

    private Call malloc() throws PdException {
        PdSocket[] pair = pair();
        pair[0].malloc(RING, new PdBuffer());
        return () -> pair[0].malloc(1, new PdBuffer(), PipeDevice.FOREVER);
    }

    /** Blocks in send: the receiver's ring is full, and so is the limit of outstanding sends. */
    private Call send() throws PdException {
        PdSocket[] pair = pair();
        fill(pair[0], new byte[RING]);
        PdBuffer block = new PdBuffer();
        pair[0].malloc(MOST_SENDS, block, PipeDevice.FOREVER);
        return () -> {
            for (int i = 0; i < MOST_SENDS; i++) {
                pair[0].send(block, i, 1, PipeDevice.FOREVER);
            }
            return pair[0].send(block, 1, PipeDevice.FOREVER);
        };
    }

    private Call epoll() throws PdException {
        PdEpoll epoll = device.epoll();
        epoll.add(pair()[1], PdEpoll.IN, null);
        return () -> epoll.await(new PdEvents(1), PipeDevice.FOREVER);
    }

    private PdSocket listener() throws PdException {
        PdSocket listener = device.socket();
        listener.setOption(StandardSocketOptions.SO_RCVBUF, RING).setOption(StandardSocketOptions.SO_SNDBUF, RING);
        listener.bind(TestDriver.loopback(0));
        listener.listen(1);
        return listener;
    }

    private PdSocket[] pair() throws PdException {
        try (PdSocket listener = listener()) {
            PdSocket client = device.socket();
            client.setOption(StandardSocketOptions.SO_SNDBUF, RING).setOption(StandardSocketOptions.SO_RCVBUF, RING);
            client.connect(listener.localAddress());
            return new PdSocket[] {client, listener.accept(PipeDevice.FOREVER)};
        }
    }

    private static void fill(PdSocket socket, byte[] bytes) throws PdException {
        PdBuffer block = new PdBuffer();
        socket.malloc(bytes.length, block, PipeDevice.FOREVER);
        block.copyFrom(0, bytes, 0, bytes.length);
        socket.send(block, bytes.length, PipeDevice.FOREVER);
        socket.free(block);
    }

    /** Receives data that were sent in one piece, and arrive in one piece. */
    private static String receive(PdSocket socket, int length) throws PdException {
        PdBuffer piece = new PdBuffer();
        byte[] bytes = new byte[socket.recv(length, piece, PipeDevice.FOREVER)];
        piece.copyTo(0, bytes, 0, bytes.length);
        socket.recvDone(bytes.length);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private void block(String name, Call call) {
        Thread thread = new Thread(() -> report(name, call), name);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    private static void report(String name, Call call) {
        String end;
        try {
            end = "returned " + call.run();
        } catch (PdException e) {
            end = Errno.name(e.errno()) + " " + e.getMessage();
        } catch (RuntimeException e) {
            end = e.toString();
        }
        synchronized (BlockedProcess.class) {
            System.out.println(name + ": " + end);
        }
    }

    /** Fails unless the call reports that the driver is gone. */
    static void assertGone(Call call) throws IOException {
        try {
            throw new AssertionError("returned " + call.run());
        } catch (PdException e) {
            if (e.errno() != Errno.ENODEV || !e.getMessage().contains("PD Driver is gone")) {
                throw e;
            }
        }
    }
}
