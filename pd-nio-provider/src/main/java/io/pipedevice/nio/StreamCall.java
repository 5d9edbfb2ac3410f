// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;

/**
 * A read or write by a thread that holds its channel's blocking lock, as the streams of {@link java.nio.channels.Channels}
 * do. It takes place on a virtual thread while the caller waits, which gives the lock back: otherwise the reader of one
 * stream would hold up the writer of the other, as it does not on a channel of the JDK's own.
 */
final class StreamCall {
    /** What may block. */
    @FunctionalInterface
    interface Call {
        int run() throws IOException;
    }

    private final SelectableChannel channel;
    private final Object lock;

    /** All of these under {@link #lock}. */
    private boolean done;

    private int result;
    private Throwable failure;

    private StreamCall(SelectableChannel channel) {
        this.channel = channel;
        lock = channel.blockingLock();
    }

    /** Whether the calling thread keeps others out of a channel in blocking mode. */
    static boolean isNeeded(SelectableChannel channel) {
        return channel.isBlocking() && Thread.holdsLock(channel.blockingLock());
    }

    /**
     * Makes a call in its turn; an interrupt meanwhile closes the channel, as in every other call.
     *
     * @param turn what nobody else is to have during the call
     * @param begun whether the caller has that, and leaves it to the call
     * @param end gives the turn back
     */
    static int run(SelectableChannel channel, TurnLock turn, boolean begun, Call call, Runnable end)
            throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            channel.close();
            if (begun) {
                end.run();
            }
            throw new ClosedByInterruptException();
        }
        StreamCall task = new StreamCall(channel);
        if (begun) {
            turn.leave();
        }
        try {
            Thread.ofVirtual().name("pd-stream").start(() -> {
                if (begun) {
                    turn.takeOver();
                } else {
                    turn.lock();
                }
                task.execute(call, end);
            });
        } catch (RuntimeException | Error e) {
            if (begun) {
                turn.takeOver();
                end.run();
            }
            throw e;
        }
        return task.await();
    }

    private void execute(Call call, Runnable end) {
        int count = 0;
        Throwable thrown = null;
        try {
            count = inTurn(call, end);
        } catch (IOException | RuntimeException | Error e) {
            thrown = e;
        }
        synchronized (lock) {
            result = count;
            failure = thrown;
            done = true;
            lock.notifyAll();
        }
    }

    private int inTurn(Call call, Runnable end) throws IOException {
        try {
            if (channel.isOpen() && !channel.isBlocking()) {
                // Somebody has changed it while this call waited for its turn.
                throw new IllegalBlockingModeException();
            }
            return call.run();
        } finally {
            end.run();
        }
    }

    /** The caller holds the lock, which it does not while it waits. */
    private int await() throws IOException {
        boolean interrupted = false;
        synchronized (lock) {
            while (!done) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                    channel.close();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
            // Whatever became of the call, as in every other one: the channel is closed.
            throw new ClosedByInterruptException();
        }
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        return result;
    }
}
