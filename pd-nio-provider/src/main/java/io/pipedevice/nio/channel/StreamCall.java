// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;

/**
 * A read or write by a thread that holds its channel's blocking lock, as the streams of
 * {@link java.nio.channels.Channels} do. A virtual thread makes the call while the caller waits without the blocking
 * lock. Otherwise the reader of one stream would delay the writer of the other, which it does not do on the JDK's own
 * channels.
 */
final class StreamCall {
    /** An operation that may block. */
    @FunctionalInterface
    interface Call {
        int run() throws IOException;
    }

    private final SelectableChannel channel;
    private final Object lock;

    /** This and the fields below are guarded by {@link #lock}. */
    private boolean done;

    private int result;
    private Throwable failure;

    private StreamCall(SelectableChannel channel) {
        this.channel = channel;
        lock = channel.blockingLock();
    }

    /** Whether the calling thread must not wait, because it holds the blocking lock of a channel in blocking mode. */
    static boolean isNeeded(SelectableChannel channel) {
        return channel.isBlocking() && Thread.holdsLock(channel.blockingLock());
    }

    /**
     * Makes a call on a virtual thread, and waits for it. An interrupt meanwhile closes the channel, as in every other
     * call.
     *
     * @param turn the lock that is held during the call
     * @param begun whether the caller holds that lock, and hands it off to the virtual thread
     * @param end releases the lock
     */
    static int run(SelectableChannel channel, HandOffLock turn, boolean begun, Call call, Runnable end)
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
            turn.handOff();
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
                // Another thread has changed the mode while this call waited for its turn.
                throw new IllegalBlockingModeException();
            }
            return call.run();
        } finally {
            end.run();
        }
    }

    /** Waits for the virtual thread. The caller holds the lock, and releases it while it waits. */
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
            // As in every other call, the channel is closed, even if the operation has succeeded.
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
