// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Jdk;
import java.nio.channels.spi.SelectorProvider;

/**
 * Leaves out what the code of the JDK itself does differently before 25: JDK 21 was seen to. PipeDevice's own code does
 * the same on each JDK. Transfers of files that do not end on rings are the JDK's.
 */
final class OlderJdk {
    private static final int SAME_SINCE = 25;

    /** Whether a Socket is closed after a connect that failed; its implementation always is. */
    static final boolean CLOSES_UNCONNECTED = Jdk.FEATURE >= SAME_SINCE;

    /** What a Socket says that is connected already. */
    static final String ALREADY_CONNECTED = CLOSES_UNCONNECTED ? "Already connected" : "already connected";

    /** Whether a transfer of a file after {@code shutdownOutput}, or by an interrupted thread, fails as in later ones. */
    static final boolean SENDS_FILES_AS_LATER = Jdk.FEATURE >= SAME_SINCE;

    /** Whether the flight recorder has events of the streams of adaptor sockets; PipeDevice's have them everywhere. */
    static final boolean RECORDS_ADAPTORS = Jdk.FEATURE >= SAME_SINCE;

    private OlderJdk() {}

    /** For a test in which the JDK acts. */
    static void leaveOut() {
        leaveOut(true);
    }

    /** For a test in which the channels of a provider act, if they are the JDK's. */
    static void leaveOut(SelectorProvider acts) {
        leaveOut(acts.equals(Providers.JDK));
    }

    /** For a test in which the JDK acts on a condition. */
    static void leaveOut(boolean jdkActs) {
        assumeTrue(!jdkActs || Jdk.FEATURE >= SAME_SINCE, "the code of this JDK does this differently");
    }
}
