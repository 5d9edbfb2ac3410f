// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

/** The transport of the messages. */
enum Transport {
    /** PD Lib through a driver process and its device. */
    PIPEDEVICE,

    /** The kernel's TCP, on loopback. */
    TCP
}
