// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.linux.TcpPort;
import io.pipedevice.nio.placement.RingListener;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import sun.nio.ch.SelChImpl;

/**
 * The close of a server channel, in steps: the thread that accepts is made to leave; the kernel channel is closed, by
 * that thread or by the one that closes; the selectors deregister the channel. Thread safe.
 */
final class ServerCloseSequence {
    private static final long TIMEOUT_MILLIS = 100;

    private final ServerSocketChannel channel;
    private final ServerSocketChannel kernel;
    private final ReentrantLock acceptLock;
    private final AcceptTurns turns;
    private final ChannelKeys keys;

    /**
     * Whether the kernel channel is being closed, or will be when its keys are gone. Guarded by {@link #acceptLock}.
     */
    private boolean closing;

    /**
     * @param channel that is closed
     * @param kernel its kernel channel
     * @param acceptLock held through a whole accept
     */
    ServerCloseSequence(
            ServerSocketChannel channel,
            ServerSocketChannel kernel,
            ReentrantLock acceptLock,
            AcceptTurns turns,
            ChannelKeys keys) {
        this.channel = channel;
        this.kernel = kernel;
        this.acceptLock = acceptLock;
        this.turns = turns;
        this.keys = keys;
    }

    /**
     * Begins the close. Called once.
     *
     * @param rings null if the channel was not bound
     */
    void begin(RingListener rings) throws IOException {
        try {
            if (rings != null) {
                rings.withdraw();
            }
            turns.wake();
            if (awaitAccept()) {
                try {
                    closeKernel();
                } finally {
                    acceptLock.unlock();
                }
            }
        } finally {
            // Last, because the program may bind the port again at once, and the end of many links takes a while.
            if (rings != null) {
                rings.close();
            }
        }
    }

    /**
     * Waits a moment for the thread that accepts, so that the port is free when close returns. If the wait fails, that
     * thread closes the kernel channel.
     */
    private boolean awaitAccept() {
        boolean interrupted = Thread.interrupted();
        try {
            return acceptLock.tryLock(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            return acceptLock.tryLock();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Finishes a close that another thread began meanwhile. Called by each thread that has released the accept lock.
     */
    void resume() throws IOException {
        if (!channel.isOpen()) {
            closeKernel();
        }
    }

    /** Closes the kernel channel, when no thread waits for a connection any more. */
    private void closeKernel() throws IOException {
        acceptLock.lock();
        try {
            if (closing) {
                return;
            }
            closing = true;
            turns.closeWait();
            // The program may bind the port again at once, and a selector may take a while to release the channel.
            TcpPort.stopListening(((SelChImpl) kernel).getFDVal());
            keys.closeWhenUnused(kernel::close);
        } finally {
            acceptLock.unlock();
        }
    }
}
