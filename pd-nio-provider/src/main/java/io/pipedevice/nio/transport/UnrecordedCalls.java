// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.nio.stat.FlightRecording;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import jdk.internal.access.SharedSecrets;

/**
 * Reads and writes of the JDK's channels for sockets of java.net. The flight recorder has an event for each read of a
 * channel, and one for that of the socket's stream, which would be the second one for the same bytes. While it records,
 * these calls use the methods of the channel below its event.
 */
final class UnrecordedCalls {
    private UnrecordedCalls() {}

    static int read(SocketChannel kernel, ByteBuffer target) throws IOException {
        if (!FlightRecording.on()) {
            return kernel.read(target);
        }
        if (Methods.READ != null) {
            return call(Methods.READ, kernel, target);
        }
        return LockedCalls.FOUND ? LockedCalls.read(kernel, target) : kernel.read(target);
    }

    static int write(SocketChannel kernel, ByteBuffer source) throws IOException {
        if (!FlightRecording.on()) {
            return kernel.write(source);
        }
        if (Methods.WRITE != null) {
            return call(Methods.WRITE, kernel, source);
        }
        return LockedCalls.FOUND ? LockedCalls.write(kernel, source) : kernel.write(source);
    }

    private static int call(MethodHandle method, SocketChannel kernel, ByteBuffer bytes) throws IOException {
        try {
            return (int) method.invokeExact(kernel, bytes);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Loaded only where the flight recorder is in use. */
    private static final class Methods {
        static final MethodHandle READ = find("implRead");
        static final MethodHandle WRITE = find("implWrite");

        /**
         * A method of the JDK's channel; null if this JDK has none of that name, or no agent has exported what finds
         * it.
         */
        private static MethodHandle find(String name) {
            MethodType type = MethodType.methodType(int.class, ByteBuffer.class);
            try {
                Class<?> channel = Class.forName("sun.nio.ch.SocketChannelImpl");
                // JDK 21 returns null, and later ones throw.
                MethodHandle method = SharedSecrets.getJavaLangInvokeAccess().findVirtual(channel, name, type);
                return method == null
                        ? null
                        : method.asType(MethodType.methodType(int.class, SocketChannel.class, ByteBuffer.class));
            } catch (ReflectiveOperationException | LinkageError e) {
                // The events are twice there, and the socket works.
                return null;
            }
        }
    }
}
