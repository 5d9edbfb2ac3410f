// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

/** What was found by a name. */
sealed interface Found extends AutoCloseable permits RemoteRegion, RemoteFunction {
    /** The owner: its user and its container. */
    Owner owner();

    @Override
    void close();
}
