// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

/** The kinds of threads that an application may call from. */
enum ThreadKind {
    PLATFORM,
    VIRTUAL;

    Thread start(String name, Runnable work) {
        Thread.Builder builder = this == PLATFORM ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
        return builder.name(name).start(work);
    }
}
