// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

import java.util.EnumMap;
import java.util.Map;

/** What went wrong with a {@link Device}, and what was done about it, in numbers. Belongs to the driver's thread. */
public final class DeviceHealth {
    /** What is counted. */
    public enum Event {
        /** The device failed a command, reported an error, or did what it must not. */
        ERROR,

        /** A command that the device did not execute was executed again, by an emulator. */
        RETRY,

        /** The device was reset because it did not work. */
        RESET,

        /** An interrupt that was asked for and due did not come. */
        LOST_INTERRUPT,

        /** A command was executed by an emulator in place of the device. Includes those that were tried again. */
        EMULATED
    }

    /** One counter each, in an array so that counting allocates nothing. */
    private final Map<Event, long[]> counts = new EnumMap<>(Event.class);

    /** Creates counts of a device that has worked so far. */
    public DeviceHealth() {
        for (Event event : Event.values()) {
            counts.put(event, new long[1]);
        }
    }

    /**
     * Counts.
     *
     * @param event what happened
     */
    public void count(Event event) {
        counts.get(event)[0]++;
    }

    /**
     * How often something happened.
     *
     * @param event what
     * @return 0 or more
     */
    public long get(Event event) {
        return counts.get(event)[0];
    }
}
