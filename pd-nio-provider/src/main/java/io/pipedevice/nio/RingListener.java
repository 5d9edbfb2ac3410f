// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdSource;

/** The place where clients meet a server that also listens on the kernel at the same address. Thread safe. */
interface RingListener {
    /** What is ready when a connection waits; null while there is none. */
    PdSource source();

    /** Takes a connection that waits; null if there is none, or no memory for it. */
    RingConnection accept();

    /** A client came through the kernel: what keeps others from the rings is looked at again. */
    void refresh();

    void close();
}
