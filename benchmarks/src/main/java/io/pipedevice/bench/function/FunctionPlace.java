// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.util.Locale;

/** Where the functions of a measurement run. */
public enum FunctionPlace {
    /** In the client, by one-sided operations. */
    CLIENT("client", "#1f77b4"),

    /** On the driver's thread. */
    DEVICE("device", "#d62728"),

    /** In the process of the owner. */
    HOST("host", "#2ca02c"),

    /** Where the client's steering sends them. */
    AUTO("auto", "#9467bd"),

    /** In the process of the owner, which is asked over kernel TCP. */
    TCP("kernel TCP", "#7f7f7f");

    private final String title;
    private final String colour;

    FunctionPlace(String title, String colour) {
        this.title = title;
        this.colour = colour;
    }

    String title() {
        return title;
    }

    String colour() {
        return colour;
    }

    /** For command lines: lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
