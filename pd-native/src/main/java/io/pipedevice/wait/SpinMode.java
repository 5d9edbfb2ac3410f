// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdOptions;
import io.pipedevice.property.SystemProperty;
import java.util.Locale;

/**
 * Whether who finds nothing looks again for a while before it sleeps. The peer placement finds out by itself for how long;
 * in the driver placement that is {@link PdOptions#SPIN_PROPERTY}, which ADAPTIVE and ALWAYS leave as it is.
 */
public enum SpinMode {
    /** As long as that costs less than a wake-up, and pays. */
    ADAPTIVE,
    /** Sleeps at once. */
    NEVER,
    /**
     * Looks until there is something: for those that give each such thread a processor of its own. Virtual threads, which
     * have none, sleep after a while.
     */
    ALWAYS;

    /** Property: one of {@code adaptive}, {@code never}, {@code always}. */
    public static final String PROPERTY = "pipedevice.spin";

    /** What the property said when it was first asked for; any thread may find it out. */
    private static volatile SpinMode inUse;

    /**
     * The mode of this process, which is configured once.
     *
     * @return the mode when it was first asked for
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
     * What the property says.
     *
     * @return the mode; ADAPTIVE by default, but NEVER if this process has one processor
     * @throws IllegalArgumentException if the property's value is not allowed; the message names it and what is
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
        // With one processor, who looks keeps from running whom it waits for.
        return this == ADAPTIVE && Runtime.getRuntime().availableProcessors() == 1 ? NEVER : this;
    }
}
