// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.linux.Epoll;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import sun.nio.ch.SelChImpl;

/**
 * Waits until the bytes that the kernel has taken at one end of a connection have arrived at the other, so that the
 * result of a read does not depend on the kernel's timing. Bytes on rings arrive at once.
 */
final class Arrival {
    static final int END = 1;
    static final int RESET = 2;

    /** Bytes that are known to be under way arrive, on busy processors late. Others may never arrive. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long MOMENT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** A reset may wait for a selector. */
    private static final long RESET_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long PAUSE_NS = 20_000;

    private Arrival() {}

    /**
     * Waits for the arrival, but only for a moment if it is not certain.
     *
     * @param bytes how many are to be read; -1 if that is not known
     * @param ends {@link #END}, {@link #RESET}, or-ed
     */
    static Outcome await(SocketChannel channel, int bytes, int ends) throws IOException {
        if (channel instanceof SelChImpl kernel && channel.isOpen()) {
            await(channel.socket(), kernel.getFDVal(), bytes, ends);
        }
        return Outcome.of("");
    }

    /** The same for a socket of java.net. */
    static Outcome await(Socket socket, int bytes, int ends) throws IOException {
        int descriptor = NetSockets.kernelDescriptor(socket);
        if (descriptor >= 0 && !socket.isClosed()) {
            await(socket, descriptor, bytes, ends);
        }
        return Outcome.of("");
    }

    private static void await(Socket socket, int descriptor, int bytes, int ends) throws IOException {
        try (Epoll epoll = Epoll.open()) {
            epoll.add(descriptor, Epoll.IN | Epoll.RDHUP, 0);
            Epoll.Events events = new Epoll.Events(1);
            long start = System.nanoTime();
            long patience = bytes < 0 ? MOMENT_NS : (ends & RESET) != 0 ? RESET_NS : PATIENCE_NS;
            while (!isThere(socket, bytes, ends, epoll, events) && System.nanoTime() - start < patience) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    private static boolean isThere(Socket socket, int bytes, int ends, Epoll epoll, Epoll.Events events)
            throws IOException {
        int found = epoll.await(events, 0) == 0 ? 0 : events.events(0);
        if ((found & Epoll.HUP) != 0) {
            return true;
        }
        boolean end = (ends & END) == 0 || (found & Epoll.RDHUP) != 0;
        return end && (ends & RESET) == 0 && hasBytes(socket, bytes);
    }

    private static boolean hasBytes(Socket socket, int bytes) throws IOException {
        return bytes <= 0 || socket.isInputShutdown() || socket.getInputStream().available() >= bytes;
    }
}
