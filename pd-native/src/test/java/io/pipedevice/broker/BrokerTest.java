// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.peer.rendezvous.PeerNetwork;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BrokerTest {
    @Test
    void aDriverThatHasBegunToServeTheProcessIsJoinedAtOnce() throws IOException {
        AtomicInteger attempts = new AtomicInteger();
        try (PeerNetwork network = new PeerNetwork()) {
            Broker broker = new Broker(
                    () -> {
                        attempts.incrementAndGet();
                        throw new IOException("there is no driver");
                    },
                    network);
            broker.join();
            assertEquals(1, attempts.get());
            broker.joinServing();
            assertEquals(2, attempts.get());
            assertFalse(broker.isJoined());
        }
    }
}
