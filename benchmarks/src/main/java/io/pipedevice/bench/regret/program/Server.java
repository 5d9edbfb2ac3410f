// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.Closeable;

/** What serves clients, on threads of its own, until it is closed. */
interface Server extends Closeable {
    /** The port on the loopback at which clients reach it. */
    int port();
}
