// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.linux.TcpPort;
import io.pipedevice.nio.stat.ConnectionRecord;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import sun.nio.ch.Net;
import sun.nio.ch.SelChImpl;

/**
 * A connection on kernel TCP for a socket of java.net, which an interrupt of a platform thread does not close. The
 * JDK's channel would be closed. So that channel does not block: a call that has to wait parks. Of the reads and writes
 * only those wait that a socket makes: a read with a timeout, and a write of one buffer, by parts.
 */
public class ParkingKernelTransport extends KernelTransport {
    /** The most that one call gives to the JDK's channel, which copies it through memory that the thread then keeps. */
    private static final int MAX_PIECE = 128 * 1024;

    /** The longest time that a connect blocks in the kernel, where no other thread can end it. */
    private static final int MAX_BLOCKED_MICROS = 10_000;

    private final BlockingContext context;

    /** The reading thread's. */
    private final WaitPrediction arrivals = new WaitPrediction();

    /**
     * Creates the transport of a connection, or of one that is about to be made.
     *
     * @param context the socket
     * @param kernel the JDK's channel, which stays the caller's, and does not block
     * @param record counts the connection; ended at its close
     */
    public ParkingKernelTransport(BlockingContext context, SocketChannel kernel, ConnectionRecord record) {
        super(kernel, record);
        this.context = context;
    }

    /**
     * Connects.
     *
     * @param context the socket
     * @param kernel the JDK's channel, which does not block
     * @param to the peer
     * @param timeoutMillis the longest time; 0 for no limit
     * @throws SocketTimeoutException after that time
     * @throws IOException if the kernel refuses, or the socket is closed
     */
    public static void connect(BlockingContext context, SocketChannel kernel, InetSocketAddress to, int timeoutMillis)
            throws IOException {
        CallTimeout timeout = new CallTimeout(CallTimeout.ofMillis(timeoutMillis), "Connect");
        synchronized (kernel) {
            if (begin(kernel, to, timeoutMillis)) {
                return;
            }
        }
        boolean done = false;
        context.enter();
        try {
            while (!done && context.isOpen()) {
                park(kernel, Net.POLLOUT, timeout.left());
                synchronized (kernel) {
                    done = context.isOpen() && kernel.finishConnect();
                }
            }
        } finally {
            context.exit(done);
        }
    }

    /**
     * Begins to connect; whether the connection stands. A connection to this host stands before connect(2) returns, if
     * that may block. Otherwise it stands a little later, and a server that accepts and resets it meanwhile makes the
     * connect fail, which with the JDK's sockets succeeds. A virtual thread does not block its carrier: with those the
     * JDK's connect fails, too.
     */
    private static boolean begin(SocketChannel kernel, InetSocketAddress to, int timeoutMillis) throws IOException {
        if (Thread.currentThread().isVirtual() || !kernel.isOpen()) {
            return kernel.connect(to);
        }
        int number = ((SelChImpl) kernel).getFDVal();
        long micros = TimeUnit.MILLISECONDS.toMicros(timeoutMillis);
        TcpPort.blockInConnect(number, micros == 0 ? MAX_BLOCKED_MICROS : Math.min(micros, MAX_BLOCKED_MICROS));
        try {
            return kernel.connect(to);
        } finally {
            // A connect that fails has closed the channel, whose descriptor now may be another file's.
            if (kernel.isOpen()) {
                TcpPort.neverBlock(number);
            }
        }
    }

    /**
     * Makes the threads leave that wait in the kernel. The peer finds the end of the stream, or a reset.
     *
     * @param kernel the JDK's channel, which its owner closes when the threads have left
     * @param resets whether the close is to reset the connection
     */
    public static void endWaits(SocketChannel kernel, boolean resets) {
        // A connect that fails closes the channel, whose descriptor then may be another file's.
        synchronized (kernel) {
            if (kernel.isOpen()) {
                TcpPort.endWaits(((SelChImpl) kernel).getFDVal(), resets);
            }
        }
    }

    private static void park(SocketChannel kernel, int event, long nanos) throws IOException {
        ((SelChImpl) kernel).park(event, nanos == FOREVER ? 0 : nanos);
    }

    @Override
    public int read(ByteBuffer target, long timeoutNs) throws IOException {
        int end = target.limit();
        target.limit(target.position() + Math.min(MAX_PIECE, target.remaining()));
        try {
            if (!arrivals.waitsFirst()) {
                int length = UnrecordedCalls.read(kernel, target);
                arrivals.attempted(length != 0);
                if (length != 0 || !target.hasRemaining()) {
                    return length;
                }
            }
            return waitAndRead(target, timeoutNs);
        } finally {
            target.limit(end);
        }
    }

    private int waitAndRead(ByteBuffer target, long timeoutNs) throws IOException {
        int length = 0;
        CallTimeout timeout = new CallTimeout(timeoutNs, "Read");
        long left = timeoutNs;
        context.enter();
        try {
            while (length == 0 && context.isOpen()) {
                park(kernel, Net.POLLIN, left);
                length = context.isOpen() ? UnrecordedCalls.read(kernel, target) : 0;
                // Only after an attempt: bytes that are there are read, however late this thread runs.
                left = length == 0 ? timeout.left() : left;
            }
        } finally {
            context.exit(length != 0);
        }
        return length;
    }

    /** Writes some bytes; the caller writes the rest. */
    @Override
    public int write(ByteBuffer source) throws IOException {
        int end = source.limit();
        source.limit(source.position() + Math.min(MAX_PIECE, source.remaining()));
        try {
            int count = UnrecordedCalls.write(kernel, source);
            return count == 0 && source.hasRemaining() ? waitAndWrite(source) : count;
        } finally {
            source.limit(end);
        }
    }

    /** The JDK's channel does not try to write. */
    @Override
    public IOException shutFailure() {
        synchronized (kernel) {
            boolean isReset = kernel.isOpen() && TcpPort.takeReset(((SelChImpl) kernel).getFDVal());
            return new IOException(isReset ? "Connection reset by peer" : "Broken pipe");
        }
    }

    /** Ends the output before the close, which lingers in the thread that closes the socket. */
    @Override
    public void endOutput() {
        try {
            kernel.shutdownOutput();
        } catch (IOException e) {
            // The peer has reset the connection.
            return;
        }
    }

    private int waitAndWrite(ByteBuffer source) throws IOException {
        int count = 0;
        context.enter();
        try {
            while (count == 0 && context.isOpen()) {
                park(kernel, Net.POLLOUT, FOREVER);
                count = context.isOpen() ? UnrecordedCalls.write(kernel, source) : 0;
            }
        } finally {
            context.exit(count != 0);
        }
        return count;
    }
}
