// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

/**
 * A process's account of the resources that all processes share: the time of the engine and of the driver's thread,
 * in nanoseconds. Each round gives every process the same credit; requests, commands and doorbells are charged to it.
 * A process without credit waits for the next round, in which it also pays back its overdraft. A process that is
 * alone loses no time by that, because the next round begins at once.
 *
 * <p>The costs are constants and are not measured at run time, except those of calls of functions: only their ratio
 * matters, and a clock would also charge the time for which the operating system ran another thread. They are near the
 * times of the driver's thread with the emulator. On an EPYC, with the processes on another processor, a message of 64
 * bytes with its request takes 0.12 to 0.15 µs, and 0.04 µs if it is gathered with others; 64 KB take 4.1 µs from
 * memory and 1.2 µs within the cache. Belongs to the driver's thread.
 */
public final class Share {
    /**
     * Credit of a round; unused credit does not accumulate. It is less than what a ring of 1 MB holds costs, so that a
     * sender with such a ring always has work left for its turn.
     */
    public static final int TURN_NS = 32_000;

    /** Credit of a socket's turn; then the process's next socket follows. */
    public static final int SOCKET_TURN_NS = TURN_NS / 4;

    private static final int COMMAND_NS = 150;
    private static final int BYTES_PER_NS = 16;
    private static final int REQUEST_NS = 50;
    private static final int DOORBELL_NS = 1000;
    private static final int ALLOCATED_BYTES_PER_NS = 16;

    private long creditNs;
    private long usedNs;
    private long commands;

    /** Creates an account without credit. */
    public Share() {}

    /**
     * The cost of a command that copies {@code bytes}.
     *
     * @param bytes 0 or more
     * @return in nanoseconds
     */
    public static int cost(int bytes) {
        return COMMAND_NS + bytes / BYTES_PER_NS;
    }

    /**
     * Begins a round.
     *
     * @param turnNs the credit, in nanoseconds; {@link #TURN_NS} for a process whose container has no limits
     */
    public void refill(int turnNs) {
        creditNs = Math.min(turnNs, creditNs + turnNs);
    }

    /**
     * Whether the process may continue in this round.
     *
     * @return false if it owes time
     */
    public boolean hasCredit() {
        return creditNs > 0;
    }

    /**
     * Charges a command.
     *
     * @param bytes that it copies
     */
    public void submitted(int bytes) {
        commands++;
        charge(cost(bytes));
    }

    /**
     * Charges requests.
     *
     * @param count how many
     */
    public void requests(int count) {
        charge((long) count * REQUEST_NS);
    }

    /**
     * Charges the allocation of memory.
     *
     * @param bytes how much
     */
    public void allocated(int bytes) {
        charge(bytes / ALLOCATED_BYTES_PER_NS);
    }

    /** Charges a doorbell. */
    public void doorbell() {
        charge(DOORBELL_NS);
    }

    /**
     * Charges time of the driver's thread that was measured, because it is not known before how long a call runs.
     *
     * @param ns in nanoseconds
     */
    public void ran(long ns) {
        charge(ns);
    }

    private void charge(long ns) {
        creditNs -= ns;
        usedNs += ns;
    }

    /**
     * Total time that was charged so far.
     *
     * @return in nanoseconds
     */
    public long usedNs() {
        return usedNs;
    }

    /** Number of commands submitted to the device so far. */
    long commands() {
        return commands;
    }
}
