// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.access.SharedSecrets;
import sun.net.ConnectionResetException;
import sun.nio.ch.IOStatus;
import sun.nio.ch.SelChImpl;

/**
 * System calls on the descriptor of a channel of the JDK that does not block, under the channel's own locks, so that a
 * close waits for them: for JDK 21, whose channels have no method below those that the flight recorder changes. Loaded
 * only where the flight recorder is in use.
 */
final class LockedCalls {
    private static final String CHANNEL = "sun.nio.ch.SocketChannelImpl";

    private static final MethodHandle READ_LOCK = field("readLock", false, ReentrantLock.class);
    private static final MethodHandle WRITE_LOCK = field("writeLock", false, ReentrantLock.class);
    private static final MethodHandle RESET = field("connectionReset", true, boolean.class);
    private static final MethodHandle READ = systemCall("read");
    private static final MethodHandle WRITE = systemCall("write");

    /** Whether the channels of this JDK are such. */
    static final boolean FOUND =
            READ_LOCK != null && WRITE_LOCK != null && RESET != null && READ != null && WRITE != null;

    private LockedCalls() {}

    static int read(SocketChannel kernel, ByteBuffer target) throws IOException {
        try {
            ReentrantLock lock = (ReentrantLock) READ_LOCK.invokeExact(kernel);
            lock.lock();
            try {
                return IOStatus.normalize((int) READ.invokeExact(descriptor(kernel), target, -1L));
            } catch (ConnectionResetException e) {
                // The kernel says this once, and the channel at each read.
                RESET.invokeExact(kernel, true);
                throw new SocketException("Connection reset");
            } finally {
                lock.unlock();
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int write(SocketChannel kernel, ByteBuffer source) throws IOException {
        try {
            ReentrantLock lock = (ReentrantLock) WRITE_LOCK.invokeExact(kernel);
            lock.lock();
            try {
                return IOStatus.normalize((int) WRITE.invokeExact(descriptor(kernel), source, -1L));
            } finally {
                lock.unlock();
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static FileDescriptor descriptor(SocketChannel kernel) throws ClosedChannelException {
        if (!kernel.isOpen()) {
            throw new ClosedChannelException();
        }
        return ((SelChImpl) kernel).getFD();
    }

    private static MethodHandle field(String name, boolean sets, Class<?> type) {
        try {
            MethodHandle access = access().unreflectField(Class.forName(CHANNEL).getDeclaredField(name), sets);
            return access.asType(
                    sets
                            ? MethodType.methodType(void.class, SocketChannel.class, type)
                            : MethodType.methodType(type, SocketChannel.class));
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    private static MethodHandle systemCall(String name) {
        try {
            Class<?> dispatcher = Class.forName("sun.nio.ch.NativeDispatcher");
            MethodType type =
                    MethodType.methodType(int.class, FileDescriptor.class, ByteBuffer.class, long.class, dispatcher);
            MethodHandle call = access().findStatic(Class.forName("sun.nio.ch.IOUtil"), name, type);
            Object ofSockets = access().unreflectField(Class.forName(CHANNEL).getDeclaredField("nd"), false)
                    .invoke();
            return call == null ? null : MethodHandles.insertArguments(call, 3, ofSockets);
        } catch (Throwable e) {
            // The events are twice there, and the socket works.
            return null;
        }
    }

    private static JavaLangInvokeAccess access() {
        return SharedSecrets.getJavaLangInvokeAccess();
    }
}
