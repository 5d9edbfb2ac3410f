// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One end of a connection in a game of {@link AsynchronousComparisonTest}: its operations, each with the outcome as a
 * text, and what is known of its stream. Belongs to the test's thread.
 */
final class AsynchronousEnd {
    private static final long PATIENCE_S = 20;

    private final AsynchronousSocketChannel channel;
    private AsynchronousEnd peer;

    /** The read that waits; null if there is none. */
    private Object reading;

    private ByteBuffer target;

    /** Bytes that the peer has written, and this end has not read. */
    private int unread;

    private int sent;
    private int received;
    private boolean outputEnded;
    private boolean inputEnded;
    private boolean closed;

    AsynchronousEnd(AsynchronousSocketChannel channel) {
        this.channel = channel;
    }

    void meet(AsynchronousEnd other) {
        peer = other;
    }

    /** Whether a close of this end resets nothing. */
    boolean mayClose() {
        return unread == 0 && peer.unread == 0;
    }

    /** Whether a write has a known outcome: the peer takes it, or this end refuses it, and no reset is on its way. */
    boolean mayWrite() {
        return closed || outputEnded || !(peer.closed || (peer.outputEnded && peer.inputEnded));
    }

    boolean isReading() {
        return reading != null;
    }

    /** Begins a read, by a handler or a future, with a timeout or without. */
    String read(int room, boolean handler, boolean timed) {
        return outcome(() -> {
            ByteBuffer into = ByteBuffer.allocate(room);
            Completion<Integer> completion = new Completion<>();
            Object begun = completion;
            if (handler) {
                channel.read(into, timed ? timeoutMillis() : 0, TimeUnit.MILLISECONDS, completion, completion);
            } else {
                begun = channel.read(into);
            }
            // The exception of a second read leaves the first one as it was.
            reading = begun;
            target = into;
            return room == 0 || timed || unread > 0 || isAtEnd() ? finish() : "waits";
        });
    }

    /** A timeout that is over at once, unless there is something to read. */
    private long timeoutMillis() {
        return unread > 0 || isAtEnd() ? TimeUnit.SECONDS.toMillis(PATIENCE_S) : 1;
    }

    private boolean isAtEnd() {
        return closed || inputEnded || peer.closed || peer.outputEnded;
    }

    /** The outcome of the read that waits, if it is to end by now. */
    String finishRead() {
        return reading == null || (unread == 0 && !isAtEnd()) ? "-" : outcome(this::finish);
    }

    private String finish() throws Exception {
        Object read = reading;
        reading = null;
        Object count = await(read);
        if (!(count instanceof Integer number)) {
            return count.toString();
        }
        return number <= 0 ? count.toString() : take();
    }

    /** Takes the bytes that the read has brought, and those that were on their way; how many. */
    private String take() throws Exception {
        int all = Math.min(unread, target.capacity());
        while (target.position() < all) {
            channel.read(target).get(PATIENCE_S, TimeUnit.SECONDS);
        }
        for (int i = 0; i < all; i++) {
            if (target.get(i) != (byte) received++) {
                return "wrong byte";
            }
        }
        unread -= all;
        return Integer.toString(all);
    }

    private static Object await(Object operation) throws Exception {
        if (operation instanceof Future<?> future) {
            try {
                return future.get(PATIENCE_S, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                return "future " + text(e.getCause());
            }
        }
        Completion<?> completion = (Completion<?>) operation;
        return completion.hasFailed() ? completion.failure() : completion.value();
    }

    String write(int length, int buffers) {
        return outcome(() -> {
            ByteBuffer[] sources = new ByteBuffer[buffers];
            for (int i = 0; i < buffers; i++) {
                sources[i] = ByteBuffer.allocate(length);
                while (sources[i].hasRemaining()) {
                    sources[i].put((byte) (sent + i * length + sources[i].position()));
                }
                sources[i].flip();
            }
            Completion<Long> completion = new Completion<>();
            channel.write(sources, 0, buffers, 0, TimeUnit.SECONDS, completion, completion);
            Object count = await(completion);
            if (count instanceof Long number) {
                sent += number.intValue();
                peer.unread += number.intValue();
            }
            return count.toString();
        });
    }

    /** Cancels the read that waits. */
    String cancel(boolean closes) {
        return outcome(() -> {
            if (!(reading instanceof Future<?> future)) {
                return "-";
            }
            reading = null;
            closed |= closes;
            String done = future.cancel(closes) + " " + future.isDone() + " ";
            try {
                return done + future.get();
            } catch (CancellationException e) {
                return done + text(e);
            }
        });
    }

    String shutdownInput() {
        return outcome(() -> {
            channel.shutdownInput();
            inputEnded = true;
            return reading == null ? "shut" : finish();
        });
    }

    String shutdownOutput() {
        return outcome(() -> {
            channel.shutdownOutput();
            outputEnded = true;
            return "shut";
        });
    }

    String close() {
        return outcome(() -> {
            channel.close();
            closed = true;
            return reading == null ? "closed" : finish();
        });
    }

    String state() {
        return outcome(() -> channel.isOpen() + " " + (channel.getRemoteAddress() != null));
    }

    private static String outcome(Callable<String> act) {
        try {
            return act.call();
        } catch (RuntimeException | IOException e) {
            return "throws " + text(e);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String text(Throwable e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
}
