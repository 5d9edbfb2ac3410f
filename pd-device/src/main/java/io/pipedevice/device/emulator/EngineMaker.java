// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

/** Makes the engine of an emulator. Tests have one whose engines cause faults. */
interface EngineMaker {
    /** Engines that work. */
    EngineMaker WORKING = Engine::new;

    /** Creates the engine of one emulator. */
    Engine make(EngineLane[] lanes, AddressTable addresses, int maxTransfer);

    /** Passes a task that wakes the thread of the engine, after it was stopped. */
    default void attach(Runnable wake) {}

    /** Resets the engine; false if it does not answer. */
    default boolean reset() {
        return true;
    }
}
