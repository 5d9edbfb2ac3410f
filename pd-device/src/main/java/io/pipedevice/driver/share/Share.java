// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

/**
 * A container's account of the resources that all containers share: the time of the engine and of the driver's thread,
 * in nanoseconds. Each duty cycle gives every container the same credit; requests, commands and doorbells are charged
 * to it. A container without credit waits for the next cycle, in which it also pays back its overdraft. A container
 * that is alone loses no time by that, because the next cycle begins at once.
 *
 * <p>In addition the work that a container may have in the device at a time is limited, because a lane is first in,
 * first out, and no command can overtake another.
 *
 * <p>The costs are constants and are not measured at run time: only their ratio matters, and a clock would also charge
 * the time for which the operating system ran another thread. They are measured times of the driver's thread with the
 * emulator: 0.2 µs for a send of one byte with its request; for each byte of a 64 KB send a rate between that of a copy
 * in the cache (28 bytes a nanosecond) and that of a copy from memory. Belongs to the driver's thread.
 */
public final class Share {
    /** Credit of a duty cycle; unused credit does not accumulate. */
    public static final int TURN_NS = 64_000;

    /**
     * The device gets no more commands of a container while the cost of the container's outstanding commands is at
     * least this many turns.
     */
    private static final int WINDOW_TURNS = 2;

    /** Credit of a socket's turn; then the container's next socket follows. */
    public static final int SOCKET_TURN_NS = TURN_NS / 4;

    private static final int COMMAND_NS = 150;
    private static final int BYTES_PER_NS = 16;
    private static final int REQUEST_NS = 50;
    private static final int DOORBELL_NS = 1000;

    private int turnNs = TURN_NS;
    private long creditNs;
    private long inFlightNs;
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
     * Begins a duty cycle.
     *
     * @param creditOfTurnNs in nanoseconds; {@link #TURN_NS} for a container like others
     */
    public void refill(int creditOfTurnNs) {
        turnNs = creditOfTurnNs;
        creditNs = Math.min(turnNs, creditNs + turnNs);
    }

    /**
     * Whether the container may continue in this cycle.
     *
     * @return false if it owes time
     */
    public boolean hasCredit() {
        return creditNs > 0;
    }

    /**
     * Whether another command of the container may be submitted now.
     *
     * @return false if it has no credit, or the device has enough of its work
     */
    public boolean maySubmit() {
        return creditNs > 0 && inFlightNs < (long) WINDOW_TURNS * turnNs;
    }

    /**
     * Charges a command.
     *
     * @param bytes that it copies
     */
    public void submitted(int bytes) {
        int cost = cost(bytes);
        inFlightNs += cost;
        commands++;
        charge(cost);
    }

    /**
     * Records that the device has completed a command.
     *
     * @param bytes that it copied
     */
    public void completed(int bytes) {
        inFlightNs -= cost(bytes);
    }

    /** Records that the device has no command of the container any more. */
    public void forgetInFlight() {
        inFlightNs = 0;
    }

    /**
     * Charges requests.
     *
     * @param count how many
     */
    public void requests(int count) {
        charge((long) count * REQUEST_NS);
    }

    /** Charges a doorbell. */
    public void doorbell() {
        charge(DOORBELL_NS);
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
