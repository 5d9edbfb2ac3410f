// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationProducer;
import io.pipedevice.client.DriverLink;
import io.pipedevice.client.RingWait;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;

/**
 * A queue of calls of functions. Used by one thread at a time.
 *
 * <p>{@link #message} has the memory in which a message is written, and in which the answer is. {@link #post} posts a
 * call, and returns false if {@code depth} calls are outstanding; the place may begin at once, and after {@link #flush}
 * it does. {@link #poll} and {@link #await} consume the ends of calls, in any order. {@link #call} posts a call, and
 * waits for its end; no other call may be outstanding then. A call with a time limit ends with {@link Status#TIME} if
 * it has not ended in that time; what it has done to regions stays done, and the place may go on with it for a moment.
 */
public final class Calls implements AutoCloseable {
    private static final int LOOKS_BEFORE_CHECK = 1 << 16;

    /** In the id of a request: an operation of a call that runs here, and not a call. */
    private static final long OPERATION = 1L << 32;

    private final RegionExchange exchange;
    private final DriverLink link;
    private final OperationProducer ring;
    private final RingWait wait;
    private final int depth;
    private final OutstandingCall[] calls;

    /** Numbers of those that are not in use. */
    private final int[] free;

    private int freeCount;
    private final ClientPlace client;
    private final PlaceChooser chooser;
    private final IdentityHashMap<RemoteFunction, CalledFunction> functions = new IdentityHashMap<>();
    private final CallCompletion own = new CallCompletion();
    private int looks;
    private boolean closed;

    Calls(RegionExchange exchange, DriverLink link, int depth) throws PdException {
        this.exchange = exchange;
        this.link = link;
        this.ring = exchange.takeRing();
        this.depth = depth;
        this.calls = new OutstandingCall[depth];
        this.free = new int[depth];
        for (int i = 0; i < depth; i++) {
            calls[i] = new OutstandingCall();
            free[freeCount++] = i;
        }
        this.client = new ClientPlace(exchange, ring, depth, OPERATION);
        this.chooser = new PlaceChooser(calls, client);
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
     * Memory for a message of a function, which may be used for one call after the other.
     *
     * @param function that it is for
     * @return as many bytes as messages of the function have, zeroed; alive until {@link #close}
     * @throws PdException if the driver refuses memory for messages or is gone
     * @throws IllegalStateException if there are as many messages of this function as the depth
     */
    public MemorySegment message(RemoteFunction function) throws PdException {
        requireOpen();
        CalledFunction called = functions.get(function);
        if (called == null) {
            called = new CalledFunction(function, new MessageBuffer(exchange, function, depth));
            functions.put(function, called);
        }
        return called.buffer.take();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the calls are closed");
        }
    }

    /**
     * Posts a call. The message must not be used until its end.
     *
     * @param id that the completion repeats
     * @param function to call
     * @param message memory of {@link #message} for this function
     * @param place where it runs
     * @return false if the depth is reached
     * @throws PdException of place CLIENT, EACCES without the rights to all regions of the function
     * @throws IllegalStateException if a call that has not ended uses the message
     */
    public boolean post(long id, RemoteFunction function, MemorySegment message, Place place) throws PdException {
        return post(id, function, message, place, Long.MAX_VALUE);
    }

    /**
     * Posts a call that has to end in some time. The message must not be used until its end.
     *
     * @param id that the completion repeats
     * @param function to call
     * @param message memory of {@link #message} for this function
     * @param place where it runs
     * @param limitNs time in nanoseconds, from 1 to an hour, rounded up to microseconds; {@link Long#MAX_VALUE} for any
     *     time. A driver that sleeps ends the call at most a millisecond later
     * @return false if the depth is reached
     * @throws PdException of place CLIENT, EACCES without the rights to all regions of the function
     * @throws IllegalStateException if a call that has not ended uses the message
     */
    public boolean post(long id, RemoteFunction function, MemorySegment message, Place place, long limitNs)
            throws PdException {
        requireOpen();
        if (limitNs < 1 || (limitNs > CallFlags.MOST_LIMIT_NS && limitNs != Long.MAX_VALUE)) {
            throw new IllegalArgumentException("a time limit of " + limitNs + " ns; allowed: 1 ns to 1 h");
        }
        if (freeCount == 0) {
            return false;
        }
        CalledFunction called = functions.get(function);
        long offset = called == null ? -1 : called.buffer.offset(message);
        if (offset < 0) {
            throw new IllegalArgumentException("the message is not memory of these calls for " + function);
        }
        if (called.buffer.isInUse(offset)) {
            throw new IllegalStateException("a call that has not ended uses the message");
        }
        long nowNs = System.nanoTime();
        Place chosen = place == Place.AUTO ? chooser.choose(called, nowNs) : place;
        if (place == Place.CLIENT) {
            client.prepare(function);
        }
        int number = free[--freeCount];
        OutstandingCall call = calls[number];
        call.id = id;
        call.called = called;
        call.offset = offset;
        call.postedNs = nowNs;
        call.limit = limitNs == Long.MAX_VALUE ? 0 : CallFlags.limit(limitNs);
        call.steered = place == Place.AUTO;
        called.buffer.use(offset, true);
        post(number, call, chosen);
        return true;
    }

    private void post(int number, OutstandingCall call, Place place) {
        call.place = place;
        RemoteFunction function = call.called.function;
        MessageBuffer buffer = call.called.buffer;
        if (place == Place.CLIENT) {
            client.begin(number, call);
            return;
        }
        long flags = call.limit | (place == Place.HOST ? CallFlags.HOST : 0);
        int length = function.messageLength();
        if (call.steered) {
            flags |= CallFlags.MOVABLE;
            if (client.isPrepared(function)) {
                flags |= CallFlags.RETURNABLE;
                length = buffer.length();
            }
        }
        boolean posted = ring.post(
                OperationCode.CALL,
                number,
                function.handle(),
                0,
                length,
                buffer.handle(),
                call.offset,
                flags,
                call.postedNs);
        assert posted;
    }

    /**
     * Makes the places begin with what was posted; wakes the driver if it sleeps.
     *
     * @throws PdException if the driver is gone
     */
    public void flush() throws PdException {
        if (ring.announce()) {
            link.wakeDriver();
        }
    }

    /**
     * Takes the end of a call, if one has ended.
     *
     * @param into receives it
     * @return false if none has
     * @throws PdException if the driver is gone, which is looked at now and then
     */
    public boolean poll(CallCompletion into) throws PdException {
        if (client.isReady()) {
            client.turn();
            if (takeClients(into)) {
                return true;
            }
        }
        while (ring.poll()) {
            if (completed(into)) {
                return true;
            }
        }
        flush();
        if ((++looks & LOOKS_BEFORE_CHECK - 1) == 0) {
            link.checkDriver();
        }
        return false;
    }

    /** Takes the end of a call that has run here. */
    private boolean takeClients(CallCompletion into) {
        int number = client.ended();
        if (number < 0) {
            return false;
        }
        client.take(calls[number].called.function, into);
        end(number, into);
        return true;
    }

    private void end(int number, CallCompletion into) {
        OutstandingCall call = calls[number];
        into.id = call.id;
        into.place = call.place;
        if (call.steered) {
            call.called.steering.waited(call.place, call.waitedNs(into));
        }
        call.called.buffer.use(call.offset, false);
        call.place = null;
        call.called = null;
        free[freeCount++] = number;
    }

    /** Handles a completion; returns whether a call has ended. */
    private boolean completed(CallCompletion into) throws PdException {
        long id = ring.id();
        Status status = Status.of(ring.status());
        int number = (int) id;
        if (status == null || (id & ~OPERATION) != number || number >= depth || calls[number].place == null) {
            throw link.broken("a completion " + id + " with the status " + ring.status());
        }
        if ((id & OPERATION) != 0) {
            if (!client.executed(number, ring.status(), ring.value())) {
                throw link.broken("a completion of an operation of the call " + number);
            }
            return takeClients(into);
        }
        OutstandingCall call = calls[number];
        if (status == Status.MOVED) {
            return moved(number, call, into);
        }
        if (status == Status.NOT_SERVED && call.steered) {
            call.called.steering.refused(call.place);
            post(number, call, Place.DEVICE);
            return false;
        }
        into.result = ring.value();
        into.status = status;
        into.delayNs = Integer.toUnsignedLong(ring.delayNs());
        end(number, into);
        return true;
    }

    /** Resumes a call that the device has given back; returns whether a call has ended. */
    private boolean moved(int number, OutstandingCall call, CallCompletion into) throws PdException {
        RemoteFunction function = call.called.function;
        boolean going = client.isPrepared(function) && client.resume(number, call, (int) ring.value());
        if (!going) {
            throw link.broken("the call " + number + " comes back with a state that is not one");
        }
        return takeClients(into);
    }

    /**
     * Waits for the end of a call: spins for a while, and then sleeps until the driver wakes the thread. A virtual
     * thread parks.
     *
     * @param into receives it
     * @param timeoutNs longest time in nanoseconds, {@link Long#MAX_VALUE} for ever
     * @return false after the timeout, and if nothing is outstanding
     * @throws PdException if the driver is gone
     */
    public boolean await(CallCompletion into, long timeoutNs) throws PdException {
        flush();
        // A wait without limit needs no clock.
        long start = timeoutNs == Long.MAX_VALUE ? 0 : System.nanoTime();
        while (outstanding() > 0) {
            if (poll(into)) {
                return true;
            }
            if (!client.isReady()) {
                long left = timeoutNs == Long.MAX_VALUE ? timeoutNs : timeoutNs - (System.nanoTime() - start);
                if (!ring.isReady() && !wait.await(left)) {
                    return false;
                }
            }
        }
        return false;
    }

    /**
     * The number of calls that were posted and whose ends were not taken.
     *
     * @return 0 to the depth
     */
    public int outstanding() {
        return depth - freeCount;
    }

    /**
     * Calls a function, and waits for its end. The message has the answer then.
     *
     * @param function to call
     * @param message memory of {@link #message} for this function
     * @param place where it runs
     * @return the function's result
     * @throws IOException if it has no result, as an {@link OperationException}, or the driver is gone
     */
    public long call(RemoteFunction function, MemorySegment message, Place place) throws IOException {
        return call(function, message, place, Long.MAX_VALUE);
    }

    /**
     * Calls a function, and waits for its end, but not longer than for some time. The message has the answer then.
     *
     * @param function to call
     * @param message memory of {@link #message} for this function
     * @param place where it runs
     * @param limitNs as for {@link #post(long, RemoteFunction, MemorySegment, Place, long)}
     * @return the function's result
     * @throws IOException if it has no result, as an {@link OperationException}, or the driver is gone
     */
    public long call(RemoteFunction function, MemorySegment message, Place place, long limitNs) throws IOException {
        if (outstanding() > 0) {
            throw new IllegalStateException(outstanding() + " calls are outstanding");
        }
        if (!post(0, function, message, place, limitNs) || !await(own, Long.MAX_VALUE)) {
            throw new PdException(Errno.EIO, "a call without an end");
        }
        if (own.status != Status.OK) {
            throw new OperationException(own.status, function);
        }
        return own.result;
    }

    /** Waits for the outstanding calls, and frees the messages. A second call does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            boolean left;
            do {
                left = outstanding() > 0 && await(own, Long.MAX_VALUE);
            } while (left);
            exchange.giveBack(ring);
        } catch (PdException e) {
            // The driver is gone, and with it all queue pairs.
        }
        client.close();
        functions.values().forEach(called -> called.buffer.close());
    }
}
