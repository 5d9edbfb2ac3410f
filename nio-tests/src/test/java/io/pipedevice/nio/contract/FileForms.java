// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The ways in which a program transfers a part of a file to and from a channel, as in a JVM with the agent. */
final class FileForms {
    private static final int MOST_BEFORE = 5000;
    private static final int AFTER = 100;

    private FileForms() {}

    /** The method of the file's channel as the agent changes it. */
    static long transferTo(FileChannel from, long position, long count, SocketChannel target) throws IOException {
        if (target instanceof InvocationHandler handler) {
            try {
                Object transferred = handler.invoke(from, null, new Object[] {position, count});
                if (transferred != null) {
                    return (Long) transferred;
                }
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
        return from.transferTo(position, count, target);
    }

    /** Transfers bytes once from somewhere in a file, at its end or before it; returns the number of bytes taken. */
    static int send(SocketChannel channel, int form, byte[] bytes) throws IOException {
        int before = before(form);
        boolean isEnd = form % 2 == 0;
        // An interrupt is to meet the transfer, and not the writes into the file.
        boolean interrupted = Thread.interrupted();
        try (FileChannel file = open()) {
            ByteBuffer all = ByteBuffer.allocate(before + bytes.length + (isEnd ? 0 : AFTER));
            file.write(all.put(before, bytes), 0);
            long position = file.position();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            int taken = (int) transferTo(file, before, isEnd ? Long.MAX_VALUE - before : bytes.length, channel);
            if (file.position() != position) {
                throw new AssertionError("the file's position has moved");
            }
            return taken;
        }
    }

    /**
     * Transfers bytes once into a file that is empty or has some, checks them against a stream, and returns the result
     * of the call.
     */
    static int receive(SocketChannel channel, int form, int length, int stream, long position) throws IOException {
        int before = before(form);
        try (FileChannel file = open()) {
            if (form % 2 == 0) {
                file.write(ByteBuffer.allocate(before + length / 2), 0);
            }
            int count = (int) file.transferFrom(channel, before, length);
            ByteBuffer found = ByteBuffer.allocate(count);
            if (count > 0 && file.read(found, before) != count) {
                throw new AssertionError(count + " received, but the file has " + file.size() + " bytes");
            }
            Content.check(stream, position, found, count);
            return count;
        }
    }

    private static int before(int form) {
        return form / 2 % MOST_BEFORE;
    }

    private static FileChannel open() throws IOException {
        Path path = Files.createTempFile("game", "");
        return FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }
}
