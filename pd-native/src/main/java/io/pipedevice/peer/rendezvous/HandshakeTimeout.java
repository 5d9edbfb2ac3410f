// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.property.SystemProperty;

/** How long a connect waits for the other side of a new link: the system property {@value #PROPERTY}. */
final class HandshakeTimeout {
    static final String PROPERTY = "pipedevice.handshake.millis";

    private static final int DEFAULT = 1000;
    private static final int MAX = 10_000;

    private HandshakeTimeout() {}

    /**
     * The property's value. If it is out of range, throws an {@link IllegalArgumentException} that names the property.
     */
    static int millis() {
        String value = System.getProperty(PROPERTY);
        if (value == null) {
            return DEFAULT;
        }
        int millis;
        try {
            millis = Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            throw refused(value, e);
        }
        if (millis < 1 || millis > MAX) {
            throw refused(value, null);
        }
        return millis;
    }

    private static IllegalArgumentException refused(String value, NumberFormatException cause) {
        return SystemProperty.refused(PROPERTY, value, "1 to " + MAX, cause);
    }
}
