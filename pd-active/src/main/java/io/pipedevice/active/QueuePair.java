// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationProducer;
import io.pipedevice.client.DriverLink;
import io.pipedevice.client.RingWait;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A queue of operations on regions, which the driver executes and completes in the order in which they were posted.
 * Used by one thread at a time.
 *
 * <p>The methods with an id post an operation, and return false if {@code depth} operations are outstanding. The driver
 * may begin at once; after {@link #flush} it does. So a batch is several posts and one flush. {@link #poll} and
 * {@link #await} consume the completions. The methods without an id post an operation, flush, and wait for its end; no
 * other operation may be outstanding then.
 *
 * <p>An operation on eight bytes, and a fence, begins when all earlier ones of the queue pair have ended. A copy may
 * begin before earlier copies have ended, but is executed after them.
 */
public final class QueuePair implements AutoCloseable {
    private static final int LOOKS_BEFORE_CHECK = 1 << 16;
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final RegionExchange exchange;
    private final DriverLink link;
    private final OperationProducer ring;
    private final RingWait wait;
    private final Completion own = new Completion();
    private int looks;
    private boolean closed;

    QueuePair(RegionExchange exchange, DriverLink link) throws PdException {
        this.exchange = exchange;
        this.link = link;
        this.ring = exchange.takeRing();
        this.wait = link.newWait(new RingWait.Ring() {
            @Override
            public boolean isReady() {
                return ring.isReady();
            }

            @Override
            public void arm(long word) {
                ring.arm(word);
            }
        });
    }

    /**
     * Posts a copy from a region into a buffer.
     *
     * @param id that the completion repeats
     * @param from the region
     * @param offset in the region
     * @param buffer a region of this process
     * @param bufferOffset in the buffer
     * @param length in bytes, 1 or more
     * @return false if the queue pair is full
     */
    public boolean read(long id, Target from, long offset, Region buffer, long bufferOffset, int length) {
        return post(OperationCode.READ, id, from, offset, length, buffer.handle(), bufferOffset, 0, 0);
    }

    /**
     * Posts a copy from a buffer into a region. The buffer must not change until the completion.
     *
     * @param id that the completion repeats
     * @param to the region
     * @param offset in the region
     * @param buffer a region of this process
     * @param bufferOffset in the buffer
     * @param length in bytes, 1 or more
     * @return false if the queue pair is full
     */
    public boolean write(long id, Target to, long offset, Region buffer, long bufferOffset, int length) {
        return post(OperationCode.WRITE, id, to, offset, length, buffer.handle(), bufferOffset, 0, 0);
    }

    /**
     * Posts a read of eight bytes, which the completion has.
     *
     * @param id that the completion repeats
     * @param from the region
     * @param offset in the region, a multiple of 8
     * @return false if the queue pair is full
     */
    public boolean get(long id, Target from, long offset) {
        return post(OperationCode.GET, id, from, offset, 0, 0, 0, 0, 0);
    }

    /**
     * Posts a write of eight bytes.
     *
     * @param id that the completion repeats
     * @param to the region
     * @param offset in the region, a multiple of 8
     * @param value to write
     * @return false if the queue pair is full
     */
    public boolean put(long id, Target to, long offset, long value) {
        return post(OperationCode.PUT, id, to, offset, 0, 0, 0, value, 0);
    }

    /**
     * Posts a compare-and-swap of eight bytes. It was done if the completion has the expected value.
     *
     * @param id that the completion repeats
     * @param at the region
     * @param offset in the region, a multiple of 8
     * @param expected value
     * @param value in its place
     * @return false if the queue pair is full
     */
    public boolean compareAndSwap(long id, Target at, long offset, long expected, long value) {
        return post(OperationCode.COMPARE_AND_SWAP, id, at, offset, 0, 0, 0, expected, value);
    }

    /**
     * Posts an addition to eight bytes. The completion has the value before it.
     *
     * @param id that the completion repeats
     * @param at the region
     * @param offset in the region, a multiple of 8
     * @param delta to add
     * @return false if the queue pair is full
     */
    public boolean fetchAndAdd(long id, Target at, long offset, long delta) {
        return post(OperationCode.FETCH_AND_ADD, id, at, offset, 0, 0, 0, delta, 0);
    }

    /**
     * Posts a fence: it completes when all earlier operations have ended, and later ones begin after it.
     *
     * @param id that the completion repeats
     * @return false if the queue pair is full
     */
    public boolean fence(long id) {
        requireOpen();
        return ring.post(OperationCode.FENCE, id, 0, 0, 0, 0, 0, 0, 0);
    }

    private boolean post(
            int code,
            long id,
            Target target,
            long offset,
            int length,
            int buffer,
            long bufferOffset,
            long operand,
            long second) {
        requireOpen();
        return ring.post(code, id, target.handle(), offset, length, buffer, bufferOffset, operand, second);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the queue pair is closed");
        }
    }

    /**
     * Makes the driver begin with what was posted; wakes it if it sleeps.
     *
     * @throws PdException if the driver is gone
     */
    public void flush() throws PdException {
        if (ring.announce()) {
            link.wakeDriver();
        }
    }

    /**
     * Takes the next completion, if there is one. Completions come in the order of the posts.
     *
     * @param into receives it
     * @return false if there is none yet
     * @throws PdException if the driver is gone, which is looked at now and then
     */
    public boolean poll(Completion into) throws PdException {
        if (!ring.poll()) {
            if ((++looks & LOOKS_BEFORE_CHECK - 1) == 0) {
                link.checkDriver();
            }
            return false;
        }
        take(into);
        return true;
    }

    private void take(Completion into) throws PdException {
        Status status = Status.of(ring.status());
        if (status == null) {
            throw link.broken("a completion with the status " + ring.status());
        }
        into.id = ring.id();
        into.value = ring.value();
        into.status = status;
    }

    /**
     * Waits for the next completion: spins for a while, and then sleeps until the driver wakes the thread. A virtual
     * thread parks.
     *
     * @param into receives it
     * @param timeoutNs longest time in nanoseconds, {@link Long#MAX_VALUE} for ever
     * @return false after the timeout, and if nothing is outstanding
     * @throws PdException if the driver is gone
     */
    public boolean await(Completion into, long timeoutNs) throws PdException {
        flush();
        if (ring.outstanding() == 0 || (!ring.isReady() && !wait.await(timeoutNs))) {
            return false;
        }
        return poll(into);
    }

    /**
     * The number of operations that were posted and whose completions were not taken.
     *
     * @return 0 to the depth
     */
    public int outstanding() {
        return ring.outstanding();
    }

    /**
     * Copies from a region into a buffer. Where the region is {@linkplain RemoteRegion#isDirect direct}, the calling
     * thread copies.
     *
     * @param from the region
     * @param offset in the region
     * @param buffer a region of this process
     * @param bufferOffset in the buffer
     * @param length in bytes, 1 or more
     * @throws IOException if it was not done, as an {@link OperationException}, or the driver is gone
     */
    public void read(Target from, long offset, Region buffer, long bufferOffset, int length) throws IOException {
        requireNoneOutstanding();
        long changes = exchange.changes();
        MemorySegment bytes = from instanceof RemoteRegion remote ? remote.readable(changes) : null;
        if (bytes != null && length > 0 && offset >= 0 && offset <= from.size() - length) {
            MemorySegment.copy(bytes, offset, buffer.memory(), bufferOffset, length);
            VarHandle.loadLoadFence();
            if (exchange.changes() == changes) {
                return;
            }
        }
        finish(read(0, from, offset, buffer, bufferOffset, length), from);
        permitted(from, changes);
    }

    private static void permitted(Target target, long changes) {
        if (target instanceof RemoteRegion remote) {
            remote.permitted(changes);
        }
    }

    /**
     * Copies from a buffer into a region.
     *
     * @param to the region
     * @param offset in the region
     * @param buffer a region of this process
     * @param bufferOffset in the buffer
     * @param length in bytes, 1 or more
     * @throws IOException if it was not done, as an {@link OperationException}, or the driver is gone
     */
    public void write(Target to, long offset, Region buffer, long bufferOffset, int length) throws IOException {
        requireNoneOutstanding();
        finish(write(0, to, offset, buffer, bufferOffset, length), to);
    }

    /**
     * Reads eight bytes at once. Where the region is {@linkplain RemoteRegion#isDirect direct}, the calling thread
     * does.
     *
     * @param from the region
     * @param offset in the region, a multiple of 8
     * @return the value
     * @throws IOException if it was not done, as an {@link OperationException}, or the driver is gone
     */
    public long get(Target from, long offset) throws IOException {
        requireNoneOutstanding();
        long changes = exchange.changes();
        MemorySegment bytes = from instanceof RemoteRegion remote ? remote.readable(changes) : null;
        if (bytes != null && offset >= 0 && offset <= from.size() - Long.BYTES && offset % Long.BYTES == 0) {
            long value = (long) WORD.getVolatile(bytes, offset);
            if (exchange.changes() == changes) {
                return value;
            }
        }
        long value = finish(get(0, from, offset), from);
        permitted(from, changes);
        return value;
    }

    /**
     * Writes eight bytes at once.
     *
     * @param to the region
     * @param offset in the region, a multiple of 8
     * @param value to write
     * @throws IOException if it was not done, as an {@link OperationException}, or the driver is gone
     */
    public void put(Target to, long offset, long value) throws IOException {
        requireNoneOutstanding();
        finish(put(0, to, offset, value), to);
    }

    /**
     * Compares and swaps eight bytes. It was done if the result is the expected value.
     *
     * @param at the region
     * @param offset in the region, a multiple of 8
     * @param expected value
     * @param value in its place
     * @return the value before
     * @throws IOException if the operation failed, as an {@link OperationException}, or the driver is gone
     */
    public long compareAndSwap(Target at, long offset, long expected, long value) throws IOException {
        requireNoneOutstanding();
        return finish(compareAndSwap(0, at, offset, expected, value), at);
    }

    /**
     * Adds to eight bytes.
     *
     * @param at the region
     * @param offset in the region, a multiple of 8
     * @param delta to add
     * @return the value before
     * @throws IOException if it was not done, as an {@link OperationException}, or the driver is gone
     */
    public long fetchAndAdd(Target at, long offset, long delta) throws IOException {
        requireNoneOutstanding();
        return finish(fetchAndAdd(0, at, offset, delta), at);
    }

    private void requireNoneOutstanding() {
        requireOpen();
        if (ring.outstanding() > 0) {
            throw new IllegalStateException(ring.outstanding() + " operations are outstanding");
        }
    }

    private long finish(boolean posted, Target target) throws IOException {
        if (!posted || !await(own, Long.MAX_VALUE)) {
            throw new PdException(Errno.EIO, "an operation without an end");
        }
        if (own.status != Status.OK) {
            throw new OperationException(own.status, target);
        }
        return own.value;
    }

    /** Waits for the outstanding operations, and gives the queue pair back. A second call does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            boolean left;
            do {
                left = ring.outstanding() > 0 && await(own, Long.MAX_VALUE);
            } while (left);
            exchange.giveBack(ring);
        } catch (PdException e) {
            // The driver is gone, and with it all queue pairs.
        }
    }
}
