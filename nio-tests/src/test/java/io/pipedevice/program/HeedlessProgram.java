// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import io.pipedevice.peer.stream.SendLimit;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * A program that does not heed the rate that its driver has told it: it removes the limit from the library's objects.
 * Arguments: an address and a port. After a line of input it connects, and sends until that fails, as it then says.
 */
public final class HeedlessProgram {
    private HeedlessProgram() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("STARTED");
        System.in.read();
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])))) {
            limitOf(channel).rate(0);
            System.out.println("HEEDLESS");
            ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
            while (true) {
                channel.write(bytes.clear());
            }
        } catch (IOException e) {
            System.out.println("SAID " + e.getMessage());
        }
    }

    /** Searches the objects of PipeDevice that a channel refers to. */
    private static SendLimit limitOf(SocketChannel channel) throws IllegalAccessException {
        Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> next = new ArrayDeque<>();
        next.add(channel);
        while (!next.isEmpty()) {
            Object each = next.remove();
            if (each instanceof SendLimit limit) {
                return limit;
            }
            if (known.add(each)) {
                addFields(each, next);
            }
        }
        throw new AssertionError("no limit is found");
    }

    private static void addFields(Object of, Deque<Object> to) throws IllegalAccessException {
        for (Class<?> type = of.getClass(); type.getName().startsWith("io.pipedevice."); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    Object value = field.get(of);
                    if (value != null && value.getClass().getName().startsWith("io.pipedevice.")) {
                        to.add(value);
                    }
                }
            }
        }
    }
}
