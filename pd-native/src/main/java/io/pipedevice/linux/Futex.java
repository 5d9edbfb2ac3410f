// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.LONG;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * Sleep and wake-up on 32 bits of shared memory, futex(2). The kernel identifies them by file and position, so that
 * the threads of several processes meet. The memory of both may be read-only. Thread safe; allocates nothing.
 */
public final class Futex {
    private static final int WAIT = 0;
    private static final int WAKE = 1;
    private static final long NUMBER = System.getProperty("os.arch").equals("aarch64") ? 98 : 202;
    private static final CFunction SYSCALL = CFunction.of("syscall");
    private static final MemorySegment NULL = MemorySegment.NULL;

    private Futex() {}

    /**
     * Blocks the calling thread until a wake-up, if the value is still the expected one. It may return for no reason.
     *
     * @param memory mapped from a file that several processes share
     * @param offset of the 32 bits, a multiple of 4
     * @param expected the value at which the thread sleeps
     * @param nanos longest time, {@link Long#MAX_VALUE} for ever
     * @throws LinuxException EFAULT if the memory is not mapped
     */
    public static void await(MemorySegment memory, long offset, int expected, long nanos) throws LinuxException {
        long word = memory.address() + offset;
        long result;
        if (nanos == Long.MAX_VALUE) {
            result = SYSCALL.toLong(memory, NULL, NUMBER, word, WAIT, expected, 0, 0);
        } else {
            try (Scratch scratch = Scratch.borrow()) {
                MemorySegment time = scratch.buffer();
                time.set(LONG, 0, TimeUnit.NANOSECONDS.toSeconds(nanos));
                time.set(LONG, Long.BYTES, nanos % TimeUnit.SECONDS.toNanos(1));
                result = SYSCALL.toLong(memory, time, NUMBER, word, WAIT, expected, time.address(), 0);
            }
        }
        if (result < 0 && result != -Errno.EAGAIN && result != -Errno.EINTR && result != -Errno.ETIMEDOUT) {
            throw new LinuxException("futex", (int) -result);
        }
    }

    /**
     * Wakes one thread that sleeps.
     *
     * @param memory as for {@link #await}
     * @param offset of the 32 bits
     * @return whether a thread slept
     */
    public static boolean wake(MemorySegment memory, long offset) {
        return SYSCALL.toLong(memory, NULL, NUMBER, memory.address() + offset, WAKE, 1, 0, 0) > 0;
    }
}
