// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.SpinMode;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.ring.SendRings;
import io.pipedevice.property.SystemProperty;

/**
 * The user's options for connections between two processes, from system properties. They are read once for each
 * network. Immutable.
 *
 * <table>
 * <caption>Properties</caption>
 * <tr><th>Property</th><th>Default</th><th>Allowed</th></tr>
 * <tr><td>{@value #MAX_RING_PROPERTY}</td><td>1m, and 4m where the peer does not read</td><td>powers of two from 64k to
 *     4m; k and m are understood</td></tr>
 * <tr><td>{@value RingBudget#PROPERTY}</td><td>12.5% of the memory limit, 16m at least</td><td>1m and more, or 1% to
 *     100%</td></tr>
 * <tr><td>pipedevice.handshake.millis</td><td>1000</td><td>1 to 10000</td></tr>
 * <tr><td>{@value SpinMode#PROPERTY}</td><td>adaptive</td><td>adaptive, never, always</td></tr>
 * </table>
 */
public final class PeerOptions {
    /** Property: the largest size that a ring grows to, in bytes. */
    public static final String MAX_RING_PROPERTY = "pipedevice.ring.max";

    private static final String ALLOWED_RINGS = "powers of two from 64k to 4m";
    private static final RingLimits DEFAULT = new RingLimits(1 << 20, SendRings.MAX_SIZE);

    private final RingLimits ringLimits;
    private final int handshakeMillis;

    private PeerOptions(RingLimits ringLimits, int handshakeMillis) {
        this.ringLimits = ringLimits;
        this.handshakeMillis = handshakeMillis;
    }

    /**
     * Reads all properties of the peer placement.
     *
     * @return the options
     * @throws IllegalArgumentException if a value is not allowed; the message names the property and the allowed values
     */
    public static PeerOptions read() {
        SpinMode.configured();
        RingBudget.checkProperty();
        return new PeerOptions(readRingLimits(), HandshakeTimeout.millis());
    }

    /** The same options with another timeout, for tests. */
    PeerOptions withHandshakeMillis(int millis) {
        return new PeerOptions(ringLimits, millis);
    }

    /** The largest sizes that a ring grows to. A user who sets a limit means it for all rings. */
    RingLimits ringLimits() {
        return ringLimits;
    }

    /**
     * How long a connect waits for the other side.
     *
     * @return in milliseconds
     */
    public int handshakeMillis() {
        return handshakeMillis;
    }

    private static RingLimits readRingLimits() {
        String value = System.getProperty(MAX_RING_PROPERTY);
        if (value == null) {
            return DEFAULT;
        }
        long size = SystemProperty.size(MAX_RING_PROPERTY, 0, ALLOWED_RINGS);
        if (size < SendRings.MIN_SIZE || size > SendRings.MAX_SIZE || Long.bitCount(size) != 1) {
            throw SystemProperty.refused(MAX_RING_PROPERTY, value, ALLOWED_RINGS);
        }
        return RingLimits.of((int) size);
    }
}
