// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** The ways in which a program writes to and reads from a channel. */
final class Forms {
    private static final int MARGIN = 7;

    private Forms() {}

    /** Writes once; returns the number of bytes taken. */
    static int write(SocketChannel channel, int form, byte[] bytes) throws IOException {
        int length = bytes.length;
        ByteBuffer source = source(form, bytes);
        switch (form % 8) {
            case 4 -> {
                ByteBuffer[] parts = parts(source, length);
                return (int) channel.write(parts);
            }
            case 5 -> channel.socket().getOutputStream().write(source.array(), source.arrayOffset(), length);
            case 6 -> Channels.newOutputStream(channel).write(bytes);
            case 7 -> {
                if (length == 1) {
                    channel.socket().getOutputStream().write(bytes[0]);
                } else {
                    channel.socket().getOutputStream().write(bytes);
                }
            }
            default -> {
                int written = channel.write(source);
                if (source.position() != written) {
                    throw new AssertionError(written + " written, but " + source);
                }
                return written;
            }
        }
        return length;
    }

    private static ByteBuffer source(int form, byte[] bytes) {
        return switch (form % 8) {
            case 1 -> ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            case 2, 5 ->
                ByteBuffer.wrap(new byte[bytes.length + 2 * MARGIN])
                        .slice(MARGIN, bytes.length)
                        .put(bytes)
                        .flip();
            case 3 -> ByteBuffer.wrap(bytes).asReadOnlyBuffer();
            default -> ByteBuffer.wrap(bytes);
        };
    }

    /** A heap buffer, an empty one, and a direct one. */
    private static ByteBuffer[] parts(ByteBuffer all, int length) {
        int half = length / 2;
        ByteBuffer second = ByteBuffer.allocateDirect(length - half);
        return new ByteBuffer[] {
            all.slice(0, half),
            ByteBuffer.allocate(0),
            second.put(all.slice(half, length - half)).flip()
        };
    }

    /** Reads once, checks the bytes against a stream, and returns the result of the call. */
    static int read(SocketChannel channel, int form, int length, int stream, long position) throws IOException {
        return read(channel, input(channel, form), form, length, stream, position);
    }

    /** The stream that a form reads from; null if it reads from the channel. */
    static InputStream input(SocketChannel channel, int form) throws IOException {
        return switch (form % 8) {
            case 4, 6 -> channel.socket().getInputStream();
            case 5 -> Channels.newInputStream(channel);
            default -> null;
        };
    }

    /** The same, if the program has opened the form's stream before. */
    static int read(SocketChannel channel, InputStream input, int form, int length, int stream, long position)
            throws IOException {
        byte[] array = new byte[length + 2 * MARGIN];
        ByteBuffer target = ByteBuffer.wrap(array).slice(MARGIN, length);
        int count;
        switch (form % 8) {
            case 1, 2 -> {
                target = ByteBuffer.allocateDirect(length);
                count = channel.read(target);
                checkPosition(target, count);
            }
            case 3 -> {
                int half = length / 2;
                ByteBuffer second = ByteBuffer.allocateDirect(length - half);
                count = (int) channel.read(new ByteBuffer[] {target.slice(0, half), ByteBuffer.allocate(0), second});
                target.put(half, second, 0, length - half);
            }
            case 4, 5 -> count = input.read(array, MARGIN, length);
            case 6 -> count = one(input, target);
            default -> {
                count = channel.read(target);
                checkPosition(target, count);
            }
        }
        Content.check(stream, position, target, count);
        return count;
    }

    private static int one(InputStream in, ByteBuffer target) throws IOException {
        if (target.capacity() == 0) {
            return 0;
        }
        int value = in.read();
        if (value >= 0) {
            target.put(0, (byte) value);
        }
        return value < 0 ? -1 : 1;
    }

    private static void checkPosition(ByteBuffer target, int count) {
        if (target.position() != Math.max(count, 0)) {
            throw new AssertionError(count + " read, but " + target);
        }
    }
}
