// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.placement.Locality;
import io.pipedevice.nio.placement.Placement;
import io.pipedevice.nio.placement.UnixRules;
import java.nio.channels.spi.SelectorProvider;

/**
 * The objects that all channels of a provider share. Immutable.
 *
 * @param provider the provider that {@code provider()} of each channel returns
 * @param kernel the JDK's own provider
 * @param locality this host's addresses
 * @param placement creates the rings
 * @param rules send connections to Unix-domain sockets; null if there are none
 * @param interruptible whether an interrupt closes the channels: not those that carry sockets of java.net
 */
record ChannelHome(
        SelectorProvider provider,
        SelectorProvider kernel,
        Locality locality,
        Placement placement,
        UnixRules rules,
        boolean interruptible) {
    /** Whether an interrupt ends the wait of the calling thread: not of a platform thread in a socket of java.net. */
    boolean endsByInterrupt() {
        return interruptible || Thread.currentThread().isVirtual();
    }
}
