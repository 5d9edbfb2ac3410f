// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lane's interrupt: raised once each time it was armed.
 *
 * <p>Driver: {@link #arm}, look for completions again, sleep. Engine: publish the completion, then {@link #raise}. Both
 * fence between their store and their load, so that either the driver sees the completion or the engine sees the
 * request. If one of the fences is missing, an interrupt can be lost.
 */
final class Interrupt {
    private static final VarHandle ARMED;

    static {
        try {
            ARMED = MethodHandles.lookup().findVarHandle(Interrupt.class, "armed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Runnable handler;
    private volatile boolean armed;

    Interrupt(Runnable handler) {
        this.handler = handler;
    }

    void arm() {
        ARMED.setRelease(this, true);
        VarHandle.fullFence();
    }

    void cancel() {
        ARMED.setRelease(this, false);
    }

    void raise() {
        VarHandle.fullFence();
        if (armed && ARMED.compareAndSet(this, true, false)) {
            handler.run();
        }
    }
}
