// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import sun.nio.ch.DefaultSelectorProvider;

/**
 * Transfers a file over a connection that is on the kernel, or on rings if there is an argument, until it has to wait,
 * says whether the JDK has it transferred by the kernel, and is interrupted.
 */
public final class TransferProgram {
    private static final long MUCH = 64 << 20;

    private TransferProgram() {}

    /** Runs the program. */
    public static void main(String[] args) throws Exception {
        Path path = Files.createTempFile("transfer", "");
        try (ServerSocketChannel listener = args.length > 0
                        ? ServerSocketChannel.open()
                        : DefaultSelectorProvider.get().openServerSocketChannel();
                FileChannel file = FileChannel.open(
                        path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
                SocketChannel client = SocketChannel.open()) {
            file.write(ByteBuffer.allocate(1), MUCH - 1);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.connect(listener.getLocalAddress());
            try (SocketChannel server = listener.accept()) {
                transfer(file, client, server);
            }
        }
    }

    private static void transfer(FileChannel file, SocketChannel client, SocketChannel server) throws Exception {
        FutureTask<Long> transfer = new FutureTask<>(() -> file.transferTo(0, MUCH, client));
        Thread sender = new Thread(transfer);
        sender.start();
        server.read(ByteBuffer.allocate(1));
        // Not for ever, if something else is done than expected.
        String way = "by copies";
        for (int i = 0; i < 100; i++) {
            if (isIn("transferToSocketChannel", sender)) {
                way = "by the kernel";
            }
            Thread.sleep(10);
        }
        System.out.println(way);
        sender.interrupt();
        sender.join();
        System.out.println(
                transfer.exceptionNow().getClass().getSimpleName() + ' ' + file.isOpen() + ' ' + client.isOpen());
    }

    private static boolean isIn(String method, Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }
}
