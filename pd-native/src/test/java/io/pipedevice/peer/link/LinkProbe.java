// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import java.util.concurrent.ThreadFactory;

/** Access to links for tests of other packages. */
public final class LinkProbe {
    /** The most messages that are read in a turn. */
    public static final int MESSAGES_OF_TURN = LinkTalk.MESSAGES_OF_TURN;

    /** The most ports that a server keeps for a link. */
    public static final int MOST_PORTS_KEPT = ClientPorts.MOST_KEPT;

    private LinkProbe() {}

    /** A sweeper with its own interval and threads. */
    public static Sweeper sweeper(long intervalMillis, ThreadFactory factory) {
        return new Sweeper(intervalMillis, factory);
    }
}
