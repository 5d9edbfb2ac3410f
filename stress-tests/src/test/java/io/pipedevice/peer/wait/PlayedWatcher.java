// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.PeerArmWord;
import java.io.UncheckedIOException;

/** A watcher with a cookie of its own, which records that the dispatcher woke it. */
public final class PlayedWatcher implements Watcher {
    private static final Bell BELL = open();

    private final int cookie;
    private boolean woken;

    public PlayedWatcher(int cookie) {
        this.cookie = cookie;
    }

    private static Bell open() {
        try {
            return Bell.open();
        } catch (PdException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether a ring with this arm word (0 for none) reached the watcher: the word was its own, or the dispatcher's,
     * and the dispatcher has woken it.
     */
    boolean knows(long armWord) {
        boolean dispatchers = PeerArmWord.bell(armWord) == PeerArmWord.DISPATCHER;
        return armWord != PeerArmWord.DISARMED && (dispatchers ? woken : PeerArmWord.cookie(armWord) == cookie);
    }

    /** Whether a thread of this process has woken it. */
    public boolean isWoken() {
        return woken;
    }

    @Override
    public Bell bell() {
        return BELL;
    }

    @Override
    public int cookie() {
        return cookie;
    }

    @Override
    public void wake() {
        woken = true;
    }

    @Override
    public boolean isGone() {
        return false;
    }
}
