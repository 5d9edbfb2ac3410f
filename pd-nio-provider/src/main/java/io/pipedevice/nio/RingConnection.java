// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdStream;

/** A connection on rings, of whichever placement. Whoever connected or accepted it closes it, once. */
interface RingConnection {
    PdStream stream();

    /** Says what close does with data on their way: 0 drops them, anything else delivers them in the background. */
    void linger(int seconds);

    /** Bounds the send ring, where it has not got its size for good. */
    void sendSize(int bytes);

    void close();
}
