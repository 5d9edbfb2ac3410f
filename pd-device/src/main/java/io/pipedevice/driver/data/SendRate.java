// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.wait.TokenBucket;

/** The two limits on what an attachment sends: its own, and that of its container. Belongs to the driver's thread. */
final class SendRate {
    private final TokenBucket own;
    private final ContainerUse use;

    SendRate(TokenBucket own, ContainerUse use) {
        this.own = own;
        this.use = use;
    }

    /** The number of bytes that may be sent now. */
    long available(long nowNs) {
        return Math.min(own.available(nowNs), use.rate().available(nowNs));
    }

    /** Counts bytes that are being sent. */
    void take(int bytes) {
        own.take(bytes);
        use.rate().take(bytes);
    }

    /** Time until enough bytes for a while may be sent, in nanoseconds; 0 if they may be sent now. */
    long delayNs(long nowNs) {
        return Math.max(own.delayNs(nowNs), use.rate().delayNs(nowNs));
    }
}
