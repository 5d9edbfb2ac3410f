// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * PD Lib: sockets on shared rings, between peers or through a driver. Programs begin with
 * {@link io.pipedevice.lib.PipeDevice} and {@link io.pipedevice.peer.PeerPlacement}, or, with a driver, with
 * {@link io.pipedevice.client.DriverDirectory}, of whose package they use nothing else.
 *
 * <p>The JVM needs {@code --enable-native-access=io.pipedevice.lib}.
 */
module io.pipedevice.lib {
    requires org.agrona;

    exports io.pipedevice.lib;
    exports io.pipedevice.client;
    exports io.pipedevice.peer;

    // The commands of a device (io.pipedevice.device).
    exports io.pipedevice.queue;

    // Not for programs: what the other modules of PipeDevice have in common with this one.
    exports io.pipedevice.broker to
            io.pipedevice.nio;
    exports io.pipedevice.jdk to
            io.pipedevice.active,
            io.pipedevice.device,
            io.pipedevice.device.model,
            io.pipedevice.nio,
            io.pipedevice.tool;
    exports io.pipedevice.linux to
            io.pipedevice.active,
            io.pipedevice.device,
            io.pipedevice.nio,
            io.pipedevice.tool;
    exports io.pipedevice.memory to
            io.pipedevice.active,
            io.pipedevice.device,
            io.pipedevice.nio,
            io.pipedevice.tool;
    exports io.pipedevice.peer.link to
            io.pipedevice.nio;
    exports io.pipedevice.peer.protocol to
            io.pipedevice.device;
    exports io.pipedevice.peer.rendezvous to
            io.pipedevice.nio;
    exports io.pipedevice.peer.ring to
            io.pipedevice.device,
            io.pipedevice.nio;
    exports io.pipedevice.peer.stream to
            io.pipedevice.nio;
    exports io.pipedevice.peer.wait to
            io.pipedevice.nio;
    exports io.pipedevice.property to
            io.pipedevice.device,
            io.pipedevice.nio,
            io.pipedevice.tool;
    exports io.pipedevice.protocol to
            io.pipedevice.active,
            io.pipedevice.device;
    exports io.pipedevice.wait to
            io.pipedevice.active,
            io.pipedevice.device,
            io.pipedevice.nio;
}
