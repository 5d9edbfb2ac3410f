// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

/** How the data of a connection go from one process to the other. */
public enum DataPath {
    /** Each process maps the other one's rings read-only. No process stands between them. */
    DIRECT,

    /** The driver's device copies from the sender's ring to the receiver's. Neither process maps the other's memory. */
    DEVICE
}
