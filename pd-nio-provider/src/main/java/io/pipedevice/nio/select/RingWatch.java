// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.lib.PdSource;

/** The memory that a key watches at present. Belongs to the selecting thread. */
final class RingWatch {
    /** Null if nothing is watched. */
    PdSource ring;

    /** The events that are watched for. */
    int events;

    /** The poller that watches {@link #ring}; null if none does. */
    RingPoller poller;
}
