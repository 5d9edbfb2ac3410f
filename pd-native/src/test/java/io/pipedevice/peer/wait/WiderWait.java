// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Epoll;
import io.pipedevice.test.HeldWatch;
import java.io.IOException;

/** Waits as a selector does. */
public final class WiderWait implements AutoCloseable {
    private static final int MOST = 10_000;

    final Epoll set = Epoll.open();
    public final PeerEpoll epoll;
    public final PdEvents events = new PdEvents(MOST);
    private final Epoll.Events found = new Epoll.Events(4);

    public WiderWait(SpinMode mode) throws IOException {
        epoll = new PeerEpoll(mode);
        epoll.join(set, 7);
        // A pooled bell may hold hundreds of rings for its previous owner, whose cookies now belong to other sources.
        while (set.await(found, 0) > 0) {
            epoll.happened(0);
        }
    }

    public int await() throws IOException {
        while (true) {
            if (epoll.look(events) > 0) {
                return events.count();
            }
            if (epoll.spin(() -> false)) {
                continue;
            }
            int ready = sleep();
            if (ready > 0) {
                return ready;
            }
        }
    }

    /** Announces sleep, runs code that must wake it, and sleeps. */
    public void sleepDuring(HeldWatch.Body body) throws Exception {
        while (!epoll.beforeSleep(events)) {
            epoll.afterSleep();
            epoll.look(events);
        }
        try {
            body.run();
            assertEquals(1, set.await(found, -1));
            epoll.happened(0);
        } finally {
            epoll.afterSleep();
        }
    }

    private int sleep() throws IOException {
        boolean maySleep = epoll.beforeSleep(events);
        try {
            if (maySleep && set.await(found, -1) > 0) {
                assertEquals(7, found.data(0));
                epoll.happened(0);
            }
        } finally {
            epoll.afterSleep();
        }
        return events.count();
    }

    @Override
    public void close() {
        epoll.close();
        set.close();
    }
}
