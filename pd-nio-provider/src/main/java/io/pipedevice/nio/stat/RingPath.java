// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

/** How the data of a connection on rings go from one process to the other. */
public enum RingPath {
    /** Each process reads the other one's rings. */
    DIRECT("direct"),

    /** A driver's device copies. */
    DEVICE("device");

    private final String text;

    RingPath(String text) {
        this.text = text;
    }

    /**
     * The word for users.
     *
     * @return as in the driver's options
     */
    public String text() {
        return text;
    }
}
