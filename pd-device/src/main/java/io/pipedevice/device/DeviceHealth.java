// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the work and the failures of a piece of hardware. Belongs to the driver's thread, except for the interrupts.
 */
public final class DeviceHealth {
    /** An event that is counted. */
    public enum Event {
        /** The device executed a command. */
        COMMAND,

        /** The device copied a byte. */
        BYTE,

        /** The device failed a command, reported an error, or violated its contract. */
        ERROR,

        /** An emulator executed a command again that the device did not execute. */
        RETRY,

        /** The device was reset because it did not work. */
        RESET,

        /** An interrupt that was requested and due was not delivered. */
        LOST_INTERRUPT,

        /** An emulator executed a command in place of the device. Includes commands that were tried again. */
        EMULATED,

        /** The device was taken out of service. */
        OUT_OF_SERVICE
    }

    private final String name;

    /** One counter each, in an array so that counting allocates nothing. */
    private final Map<Event, long[]> counts = new EnumMap<>(Event.class);

    /** Incremented by the threads that deliver interrupts. */
    private final AtomicLong interrupts = new AtomicLong();

    /**
     * Creates counts, all 0.
     *
     * @param name of the device
     */
    public DeviceHealth(String name) {
        this.name = name;
        for (Event event : Event.values()) {
            counts.put(event, new long[1]);
        }
    }

    /**
     * The name of the device.
     *
     * @return as the constructor was given
     */
    public String name() {
        return name;
    }

    /**
     * Counts an event.
     *
     * @param event the event
     */
    public void count(Event event) {
        counts.get(event)[0]++;
    }

    /**
     * Counts a command that the device executed.
     *
     * @param length in bytes
     */
    public void copied(int length) {
        counts.get(Event.COMMAND)[0]++;
        counts.get(Event.BYTE)[0] += length;
    }

    /**
     * The number of times that an event happened.
     *
     * @param event the event
     * @return 0 or more
     */
    public long get(Event event) {
        return counts.get(event)[0];
    }

    /** Counts an interrupt that was delivered. Any thread. */
    public void interrupted() {
        interrupts.incrementAndGet();
    }

    /**
     * The number of interrupts that were delivered. Any thread.
     *
     * @return 0 or more
     */
    public long interrupts() {
        return interrupts.get();
    }
}
