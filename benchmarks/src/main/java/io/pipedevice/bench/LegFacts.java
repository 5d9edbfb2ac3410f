// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

/**
 * Facts of a {@link Leg} beside its measurements.
 *
 * @param device the device's name as the driver reports it; empty for TCP
 * @param pages of the rings; empty for TCP
 * @param counted bytes sent, of which as many arrived
 * @param summed the part of them whose words were added up by the receiver, to the right sum
 */
record LegFacts(String device, String pages, long counted, long summed) {
    /** The facts of this leg and a later one. */
    LegFacts plus(LegFacts later) {
        return new LegFacts(later.device, later.pages, counted + later.counted, summed + later.summed);
    }
}
