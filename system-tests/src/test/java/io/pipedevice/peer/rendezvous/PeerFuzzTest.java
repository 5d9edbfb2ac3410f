// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.FuzzTrial;
import io.pipedevice.test.Holdings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process sends another one messages, descriptors and words that are correct except for one thing. */
@Tag("peer")
@Timeout(value = 3, unit = TimeUnit.HOURS)
final class PeerFuzzTest {
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());

    @Test
    void aFuzzerHarmsNeitherThisProcessNorItsOtherPeers() throws Exception {
        try (ChildJvm victim = ChildJvm.start(List.of(), FuzzTrial.flags(), FuzzedPeer.class)) {
            String port = victim.expect("PORT");
            try (ChildJvm bystander = ChildJvm.start(BystandingPeer.class, port)) {
                bystander.expect("READY");
                new FuzzTrial(victim, bystander, PeerFuzzTest::look).run(SEED, seed -> start(victim, port, seed));
            }
        }
    }

    private static List<ChildJvm> start(ChildJvm victim, String port, long seed) throws IOException {
        ChildJvm fuzzer = ChildJvm.start(PeerFuzzer.class, port, Long.toString(seed));
        victim.tell("connect " + fuzzer.expect("PORT"));
        return List.of(fuzzer);
    }

    private static Holdings look(ChildJvm victim) throws IOException {
        victim.tell("bells");
        int kept = 2 * Integer.parseInt(victim.expect("BELLS"));
        return Holdings.of(victim.pid()).without(kept);
    }
}
