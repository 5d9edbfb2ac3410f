// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

/** A region on which this process operates: one of its own, or one that it has found. Thread safe. */
public sealed interface Target permits Region, RemoteRegion {
    /**
     * The size.
     *
     * @return in bytes
     */
    long size();

    /**
     * The number by which the driver knows it.
     *
     * @return any number
     */
    int handle();
}
