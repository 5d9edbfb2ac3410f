// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

/** Has the tasks of a group run by threads that do not poll. Thread safe. */
interface HandOff {
    /**
     * Has a task run that was added.
     *
     * @return false if the thread that polls is to do that
     */
    boolean start();

    /** Whether a thread is on its way that runs the tasks that were added, or has others run what it leaves. */
    boolean isComing();
}
