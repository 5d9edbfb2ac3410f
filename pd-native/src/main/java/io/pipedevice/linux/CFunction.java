// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;

/**
 * A function of the C library. A failure, the pair (-1, errno), is returned in the kernel's own convention: as a
 * negative errno. Pointers are passed as addresses. The memory that they point to is passed in addition, so that it
 * stays alive during the call. Thread safe.
 */
final class CFunction {
    private final MemorySegment address;

    private CFunction(MemorySegment address) {
        this.address = address;
    }

    /** Binds a function that every supported libc has. */
    static CFunction of(String symbol) {
        return new CFunction(Native.address(symbol));
    }

    /** Binds a function that older libcs lack; {@code null} there. */
    static CFunction ofNewer(String symbol) {
        MemorySegment address = Native.addressOrNull(symbol);
        return address == null ? null : new CFunction(address);
    }

    /** Calls a function that returns an int. */
    int toInt(long a, long b, long c, long d) {
        return toInt(MemorySegment.NULL, MemorySegment.NULL, a, b, c, d, 0);
    }

    /** Calls a function that returns an int and has one pointer. */
    int toInt(MemorySegment kept, long a, long b, long c, long d) {
        return toInt(kept, MemorySegment.NULL, a, b, c, d, 0);
    }

    /** Calls a function that returns an int and has two pointers. */
    int toInt(MemorySegment kept, MemorySegment keptToo, long a, long b, long c, long d, long e) {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment state = scratch.state();
            int result =
                    (int) (long) Native.CALL.handle().invokeExact(address, state, a, b, c, d, e, 0L, kept, keptToo);
            return result >= 0 ? result : -Native.errno(state);
        } catch (Throwable t) {
            throw Native.unexpected(t);
        }
    }

    /** Calls a function that returns a long. */
    long toLong(long a, long b, long c, long d, long e, long f) {
        return toLong(MemorySegment.NULL, MemorySegment.NULL, a, b, c, d, e, f);
    }

    /** Calls a function that returns a long and has one or two pointers. */
    long toLong(MemorySegment kept, MemorySegment keptToo, long a, long b, long c, long d, long e, long f) {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment state = scratch.state();
            long result = (long) Native.CALL.handle().invokeExact(address, state, a, b, c, d, e, f, kept, keptToo);
            return result >= 0 ? result : -Native.errno(state);
        } catch (Throwable t) {
            throw Native.unexpected(t);
        }
    }
}
