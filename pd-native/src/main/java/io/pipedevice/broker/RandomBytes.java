// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import java.security.SecureRandom;

/** Bytes that no other process can guess. Thread safe. */
final class RandomBytes {
    private final SecureRandom source = new SecureRandom();

    /** Guarded by this object's monitor. */
    private final byte[] bytes = new byte[256];

    private int used = bytes.length;

    /** The next byte, 0 to 255. */
    synchronized int next() {
        if (used == bytes.length) {
            source.nextBytes(bytes);
            used = 0;
        }
        return Byte.toUnsignedInt(bytes[used++]);
    }
}
