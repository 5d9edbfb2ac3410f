// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.linux.Platform;
import io.pipedevice.nio.stat.Statistics;

/** Tells an operator who asks later, when the line that said so is gone, why a JVM has no accelerated connections. */
public final class OffNotice {
    private OffNotice() {}

    /**
     * Publishes the reason beside where the JVM's counters would be, if that can be done where PipeDevice cannot work.
     *
     * @param why one sentence
     */
    public static void publish(String why) {
        try {
            if (JdkPackages.open() && Platform.supported()) {
                Statistics.off(why);
            }
        } catch (LinkageError e) {
            // What keeps PipeDevice from working may well keep it from saying so.
            return;
        }
    }
}
