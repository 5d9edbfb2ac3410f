// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TargetTest {
    @Test
    void oneAddressIsAlwaysTheSame() throws Exception {
        Target target = new Target("10.79.0.2:7000");
        assertEquals("/10.79.0.2:7000", target.next().toString());
        assertEquals("/10.79.0.2:7000", target.next().toString());
    }

    @Test
    void addressesOfARangeComeInTurnWithoutTheFirstAndTheLast() throws Exception {
        Target target = new Target("10.80.255.252/30:7000");
        assertEquals("/10.80.255.253:7000", target.next().toString());
        assertEquals("/10.80.255.254:7000", target.next().toString());
        assertEquals("/10.80.255.253:7000", target.next().toString());
    }
}
