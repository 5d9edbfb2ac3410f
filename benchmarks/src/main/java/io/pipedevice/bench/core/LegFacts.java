// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

/**
 * Facts of a {@link Leg} beside its measurements.
 *
 * @param device of the driver; null for TCP
 * @param counted bytes sent, of which as many arrived
 * @param summed the part of them whose words were added up by the receiver, to the right sum
 */
record LegFacts(DeviceFacts device, long counted, long summed) {
    /** The facts of this leg and a later one of the same subject. */
    LegFacts plus(LegFacts later) {
        return new LegFacts(
                device == null ? null : device.plus(later.device), counted + later.counted, summed + later.summed);
    }
}
