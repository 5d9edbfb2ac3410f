// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Changes one thing in each correct message. Used by one thread. */
public final class FrameMutator {
    private final Random random;
    private final StrangeFds strange;

    /** A number in a message, of 2, 4 or 8 bytes. */
    public record Field(String name, int offset, int length) {}

    /** The longest time that the other side may take to permit descriptors. */
    private static final long PERMISSION_NS = 1_000_000_000;

    /** A message and its descriptors. */
    public static final class Frame {
        private final String what;
        private final byte[] bytes;
        private final List<Fd> fds;

        private Frame(String what, byte[] bytes, List<Fd> fds) {
            this.what = what;
            this.bytes = bytes;
            this.fds = fds;
        }

        /** Copies the present bytes of a message. */
        public static Frame of(String what, MemorySegment message, Fd... fds) {
            return new Frame(what, message.toArray(ValueLayout.JAVA_BYTE), List.of(fds));
        }

        /** Sends the message as soon as the other side permits descriptors. Returns false if there is no room. */
        public boolean send(UnixSocket socket) throws LinuxException {
            long start = System.nanoTime();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = Foreign.bytes(arena, bytes);
                while (true) {
                    try {
                        return socket.send(memory, 0, bytes.length, fds.toArray(Fd[]::new)) != UnixSocket.WOULD_BLOCK;
                    } catch (LinuxException e) {
                        if (e.errno() != Errno.EPERM || System.nanoTime() - start > PERMISSION_NS) {
                            throw e;
                        }
                        LockSupport.parkNanos(PERMISSION_NS / 1000);
                    }
                }
            }
        }

        @Override
        public String toString() {
            return what;
        }
    }

    /** Creates a mutator. */
    public FrameMutator(Random random, StrangeFds strange) {
        this.random = random;
        this.strange = strange;
    }

    /** Returns a message that has these fields, with one thing wrong. */
    public Frame mutate(Frame right, List<Field> fields) {
        int kind = random.nextInt(10);
        if (kind < 5) {
            return field(right, fields);
        }
        return kind == 5 ? length(right) : descriptors(right);
    }

    private Frame field(Frame right, List<Field> fields) {
        Field field = fields.get(random.nextInt(fields.size()));
        WrongValue wrong = WrongValue.next(random);
        byte[] bytes = right.bytes.clone();
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        switch (field.length) {
            case Short.BYTES -> buffer.putShort(field.offset, (short) wrong.of(buffer.getShort(field.offset)));
            case Integer.BYTES -> buffer.putInt(field.offset, (int) wrong.of(buffer.getInt(field.offset)));
            default -> buffer.putLong(field.offset, wrong.of(buffer.getLong(field.offset)));
        }
        return new Frame(right.what + " whose " + field.name + " is " + wrong, bytes, right.fds);
    }

    private Frame length(Frame right) {
        int length = 1 + random.nextInt(2 * right.bytes.length);
        byte[] bytes = Arrays.copyOf(right.bytes, length);
        return new Frame(right.what + " of " + length + " bytes", bytes, right.fds);
    }

    private Frame descriptors(Frame right) {
        int kind = random.nextInt(8);
        int where = random.nextInt(2);
        StrangeFds.Named other = strange.any(random);
        List<Fd> fds = new ArrayList<>(right.fds);
        String what;
        if (fds.isEmpty() || kind == 0) {
            fds.add(other.fd());
            what = " with one more: " + other.name();
        } else if (kind == 1) {
            fds.remove(Math.min(where, fds.size() - 1));
            what = " without its descriptor " + where;
        } else if (kind == 2) {
            while (fds.size() < UnixSocket.MAX_FDS) {
                fds.add(other.fd());
            }
            what = " with " + UnixSocket.MAX_FDS + ": " + other.name();
        } else {
            fds.set(Math.min(where, fds.size() - 1), other.fd());
            what = " whose descriptor " + where + " is " + other.name();
        }
        return new Frame(right.what + what, right.bytes, List.copyOf(fds));
    }
}
