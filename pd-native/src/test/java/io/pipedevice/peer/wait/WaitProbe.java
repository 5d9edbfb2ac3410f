// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.LinuxException;
import java.util.function.IntConsumer;

/** What tests of other packages need of bells and waits. */
public final class WaitProbe {
    private WaitProbe() {}

    /** A bell that no thread owns. */
    public static Bell openBell() throws PdException {
        return Bell.open();
    }

    /** Lets peers pass descriptors to a bell, or refuses them. */
    public static void passRights(Bell bell, boolean on) throws LinuxException {
        bell.passRights(on);
    }

    /** Receives what has come. */
    public static boolean drain(Bell bell, IntConsumer hints) {
        return bell.drain(hints);
    }

    /** Has an action run when a source wakes those that wait for it. */
    public static void watch(PeerSource source, int direction, Runnable action) throws PdException {
        source.watchers.arm(direction, new Watcher() {
            @Override
            public Bell bell() {
                return null;
            }

            @Override
            public int cookie() {
                return 0;
            }

            @Override
            public void wake() {
                action.run();
            }

            @Override
            public boolean isGone() {
                return false;
            }
        });
    }

    /** How many bells are kept for threads to come. */
    public static int idleBells() {
        return BellPool.idle();
    }

    /** A wait with a spin mode of its own. */
    public static PeerWait newWait(PeerSource source, int direction, SpinMode mode) {
        return new PeerWait(source, direction, mode);
    }

    /** A poller with a spin mode of its own. */
    public static PeerEpoll newEpoll(SpinMode mode) throws PdException {
        return new PeerEpoll(mode);
    }
}
