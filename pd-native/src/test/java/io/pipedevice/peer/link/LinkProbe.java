// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

/** Access to links for tests of other packages. */
public final class LinkProbe {
    /** The most messages that are read in a turn. */
    public static final int MESSAGES_OF_TURN = LinkTalk.MESSAGES_OF_TURN;

    private LinkProbe() {}
}
