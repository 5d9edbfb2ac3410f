// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.jdk;

/** The differences between JDKs that matter here, by the release that made them. */
public final class Jdk {
    /** The feature release of this JVM, 21 or later. */
    public static final int FEATURE = Runtime.version().feature();

    /** Since 22 {@code java.lang.foreign} is no preview; some of its methods have other names in 21. */
    static final boolean HAS_FOREIGN_MEMORY = FEATURE >= 22;

    /** Since 24 {@code java.lang.classfile} is no preview. */
    public static final boolean HAS_CLASS_FILES = FEATURE >= 24;

    /** Before 24 a virtual thread that waits in a monitor keeps its carrier. */
    public static final boolean MONITORS_PIN = FEATURE < 24;

    /**
     * Before 24 the implementation of a socket says by an {@link java.io.InterruptedIOException} that an interrupt has
     * ended a connect, and the socket closes itself at that; since then by a {@link java.net.SocketException}.
     */
    public static final boolean SOCKETS_CLOSE_AT_INTERRUPTS = FEATURE < 24;

    /**
     * Since 22 the channels call the events of the flight recorder; before, the recorder changes the channels while it
     * records.
     */
    public static final boolean CHANNELS_CALL_THEIR_EVENTS = FEATURE >= 22;

    private Jdk() {}
}
