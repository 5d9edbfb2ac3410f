// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.lib.SpinMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Instances of {@link PeerEpoll} and a source that is played: the base of their tests. */
abstract class PolledSources {
    /** More looks than those after which a source is quiet. */
    static final int MANY_LOOKS = 200;

    final List<WiderWait> waits = new ArrayList<>();
    final PlayedSource source = new PlayedSource();

    @AfterEach
    void close() {
        waits.forEach(WiderWait::close);
    }

    WiderWait open(SpinMode mode) throws IOException {
        WiderWait wait = new WiderWait(mode);
        waits.add(wait);
        return wait;
    }

    WiderWait open() throws IOException {
        return open(SpinMode.NEVER);
    }

    void rest(WiderWait wait) throws IOException {
        for (int i = 0; i < MANY_LOOKS; i++) {
            assertEquals(0, wait.epoll.look(wait.events));
        }
        assertFalse(wait.epoll.wasActive());
    }
}
