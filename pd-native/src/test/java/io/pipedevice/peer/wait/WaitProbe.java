// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.LinuxException;
import java.util.function.IntConsumer;

/** Access to bells and waits for tests of other packages. */
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

    /** Receives the pending rings of a bell. */
    public static boolean drain(Bell bell, IntConsumer hints) {
        return bell.drain(hints);
    }

    /** Runs an action when a source wakes its watchers. */
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

    /** Arms a source with a bell. */
    public static boolean arm(PeerSource source, int direction, Bell bell, long generation, int cookie) {
        return source.arm(direction, bell, generation, cookie);
    }

    /** Disarms a source. */
    public static void disarm(PeerSource source, int direction) {
        source.disarm(direction);
    }

    /** The number of bells that are kept for later use. */
    public static int idleBells() {
        return BellPool.idle();
    }

    /** Creates a wait with its own spin mode. */
    public static PeerWait newWait(PeerSource source, int direction, SpinMode mode) {
        return new PeerWait(source, direction, mode);
    }

    /** Creates a poller with its own spin mode. */
    public static PeerEpoll newEpoll(SpinMode mode) throws PdException {
        return new PeerEpoll(mode);
    }
}
