// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

/** Makes threads that are not the program's: daemons that keep nothing of the thread that starts them. */
final class OwnThreads {
    private OwnThreads() {}

    /** A thread that is not started. */
    static Thread create(String name, Runnable work) {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        return thread;
    }
}
