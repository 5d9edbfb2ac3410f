// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;

/** How the processes are started; the flags are the same for every transport. */
public enum Setting {
    /** As users start them. */
    DEFAULT,

    /** Without spinning threads; TCP never has any. */
    NO_SPIN,

    /** With a heap whose pages are allocated from the beginning, so that the heap does not grow. */
    FIXED_HEAP,

    /** With as few resources as possible, for many processes. */
    SMALL,

    /** With small clients, of which there are many, and one server. */
    SMALL_CLIENTS,

    /** With a driver that limits the rate to 1 Gbit/s. */
    LIMIT_1,

    /** With a driver that limits the rate to 10 Gbit/s. */
    LIMIT_10,

    /** With a driver that limits the rate to 40 Gbit/s. */
    LIMIT_40,

    /** With PipeDevice in the clients only. */
    PLAIN_SERVER,

    /** With programs configured for a driver that is not there. */
    DRIVER_AWAY;

    /** Whether a server may use PipeDevice. */
    boolean serverHasPipeDevice() {
        return this != PLAIN_SERVER;
    }

    boolean hasDriver() {
        return this != DRIVER_AWAY;
    }

    /** Whether a transport on PipeDevice accelerates connections. */
    boolean accelerates() {
        return serverHasPipeDevice() && hasDriver();
    }

    /** The limit of the driver in Gbit/s; 0 if there is none. */
    int gigabits() {
        return switch (this) {
            case LIMIT_1 -> 1;
            case LIMIT_10 -> 10;
            case LIMIT_40 -> 40;
            default -> 0;
        };
    }

    /** The flags of a server. */
    List<String> serverFlags() {
        return this == SMALL_CLIENTS ? List.of() : flags();
    }

    /** The flags of a client. */
    List<String> flags() {
        return switch (this) {
            case DEFAULT, LIMIT_1, LIMIT_10, LIMIT_40, PLAIN_SERVER, DRIVER_AWAY -> List.of();
            case NO_SPIN -> List.of("-Dpipedevice.spin=never");
            case SMALL, SMALL_CLIENTS -> List.of("-XX:+UseSerialGC", "-Xmx32m", "-XX:TieredStopAtLevel=1");
            case FIXED_HEAP -> List.of("-XX:+UseSerialGC", "-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch");
        };
    }
}
