// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import java.util.concurrent.ThreadFactory;

/** What tests of other packages need of links. */
public final class LinkProbe {
    /** Most messages that are read in a turn. */
    public static final int MESSAGES_OF_TURN = LinkTalk.MESSAGES_OF_TURN;

    /** Most ports that a server keeps for a link. */
    public static final int MOST_PORTS_KEPT = ClientPorts.MOST_KEPT;

    private LinkProbe() {}

    /** A sweeper with an interval and threads of its own. */
    public static Sweeper sweeper(long intervalMillis, ThreadFactory factory) {
        return new Sweeper(intervalMillis, factory);
    }
}
