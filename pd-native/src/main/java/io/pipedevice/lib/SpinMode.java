// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.property.SystemProperty;
import java.util.Locale;

/**
 * Whether an idle thread spins before it blocks. In the peer placement an ADAPTIVE thread adapts the time of its spins.
 * In the driver placement {@link PdOptions#SPIN_PROPERTY} sets that time, for ADAPTIVE and ALWAYS alike.
 */
public enum SpinMode {
    /** A thread spins for about the cost of a wake-up, and for less while spinning does not pay. */
    ADAPTIVE,
    /** A thread blocks at once. */
    NEVER,
    /**
     * A thread spins until it finds something: for programs that give each such thread its own processor. Virtual
     * threads, which have no processor of their own, park after a while.
     */
    ALWAYS;

    /** Property: one of {@code adaptive}, {@code never}, {@code always}. */
    public static final String PROPERTY = "pipedevice.spin";

    /** The property's value when it was first read. Any thread. */
    private static volatile SpinMode inUse;

    /**
     * The mode of this process, fixed when it is first read.
     *
     * @return the mode at the first call
     * @throws IllegalArgumentException as {@link #configured}
     */
    public static SpinMode inUse() {
        SpinMode mode = inUse;
        if (mode == null) {
            mode = configured();
            inUse = mode;
        }
        return mode;
    }

    /**
     * The mode that the property names.
     *
     * @return the mode; ADAPTIVE by default, but NEVER if this process has one processor
     * @throws IllegalArgumentException if the property's value is not allowed; the message names it and the allowed
     *     values
     */
    public static SpinMode configured() {
        String value = System.getProperty(PROPERTY);
        for (SpinMode mode : values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(value)) {
                return mode.effective();
            }
        }
        if (value != null) {
            throw SystemProperty.refused(PROPERTY, value, "adaptive, never, always");
        }
        return ADAPTIVE.effective();
    }

    private SpinMode effective() {
        // With one processor, a thread that spins keeps the awaited thread from running.
        return this == ADAPTIVE && Runtime.getRuntime().availableProcessors() == 1 ? NEVER : this;
    }
}
