// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

/** Where the engine of a driver's emulator runs. */
public enum Threading {
    /** On the driver's thread. */
    SHARED,

    /** On a thread of its own, for machines with cores to spare. */
    SEPARATE
}
