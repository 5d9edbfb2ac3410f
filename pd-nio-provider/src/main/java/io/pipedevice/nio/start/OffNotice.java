// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import io.pipedevice.linux.Platform;
import io.pipedevice.nio.stat.Statistics;

/**
 * Publishes why a JVM has no accelerated connections, so that an operator finds the reason even when the log is gone.
 * Thread safe.
 */
public final class OffNotice {
    private OffNotice() {}

    /**
     * Publishes the reason in the page of the JVM's counters. Does nothing where no such page can exist.
     *
     * @param why one sentence
     */
    public static void publish(String why) {
        try {
            if (JdkPackages.open() && Platform.supported()) {
                Statistics.off(why);
            }
        } catch (LinkageError e) {
            // The cause that keeps PipeDevice from working may also keep it from publishing the reason.
            return;
        }
    }
}
