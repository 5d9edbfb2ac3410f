// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

/** The disturbances of a soak test. */
enum Trouble {
    CLIENT_KILLED("a client was killed", 2),
    NETTY_KILLED("Netty's server was killed", 1),
    JETTY_KILLED("Jetty's server was killed", 1),
    BROKER_KILLED("the broker was killed", 1),
    STOPPED("one was stopped", 2),
    COLLECTED("one was made to collect", 1),
    MEMORY_TAKEN("memory was taken", 1),
    CLOCK_STEPPED("the clock leapt", 1);

    /** How many cards of this kind a deck has. */
    final int cards;

    private final String text;

    Trouble(String text, int cards) {
        this.text = text;
        this.cards = cards;
    }

    @Override
    public String toString() {
        return text;
    }
}
