// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import io.pipedevice.nio.PipeDeviceSelectorProvider;
import io.pipedevice.nio.placement.DriverPlacement;
import io.pipedevice.nio.placement.Locality;
import io.pipedevice.nio.placement.PeersPlacement;
import io.pipedevice.nio.placement.Placement;
import io.pipedevice.peer.rendezvous.PeerOptions;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import sun.nio.ch.DefaultSelectorProvider;

/** Opens channels and selectors for tests that choose the placement themselves. */
public final class Rings {
    private static final SelectorProvider JDK = DefaultSelectorProvider.get();

    private Rings() {}

    /** Channels of a placement. */
    public static Acceleration of(Placement placement) {
        return new RingAcceleration(new PipeDeviceSelectorProvider(), JDK, placement);
    }

    /** Channels of the peer placement, with the present system properties. */
    public static Acceleration ofPeers() {
        return of(new PeersPlacement(PeerOptions.read(), new Locality(JDK)));
    }

    /** Channels of a driver, with the present system properties. */
    public static Acceleration ofDriver(Path directory) {
        return of(new DriverPlacement(directory, Settings.readDriverOptions(), PeerOptions.read(), new Locality(JDK)));
    }
}
