// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.driver.DriverProcess;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.FuzzTrial;
import io.pipedevice.test.Holdings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process sends another one messages, descriptors and words that are correct except for one thing. */
@Tag("processes")
@Tag("peer")
@Timeout(value = 3, unit = TimeUnit.HOURS)
final class PeerFuzzTest {
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());

    @TempDir
    private Path directory;

    @Test
    @SuppressWarnings("try")
    void aFuzzerHarmsNeitherThisProcessNorItsOtherPeers() throws Exception {
        FuzzTrial.withGroups((ofVictim, ofBystander) -> {
            // A driver compares the two ends of a connection, which needs a right; without it no links are claimed.
            if (ProcessFacts.effectiveUid() == 0) {
                try (ChildJvm driver = DriverProcess.start(directory)) {
                    run(ofVictim, ofBystander, directory.toString());
                }
            } else {
                run(ofVictim, ofBystander);
            }
        });
    }

    private static void run(List<String> ofVictim, List<String> ofBystander, String... driver) throws Exception {
        List<String> flags = new ArrayList<>(FuzzTrial.flags());
        flags.addAll(ChildJvm.inheritedFlags());
        try (ChildJvm victim = ChildJvm.start(ofVictim, flags, FuzzedPeer.class, driver)) {
            List<String> arguments = new ArrayList<>(List.of(victim.expect("PORT")));
            if (driver.length > 0) {
                arguments.add(victim.expect("CLAIMS"));
                arguments.addAll(List.of(driver));
            }
            String[] all = arguments.toArray(String[]::new);
            try (ChildJvm bystander =
                    ChildJvm.start(ofBystander, ChildJvm.inheritedFlags(), BystandingPeer.class, all)) {
                bystander.expect("READY");
                new FuzzTrial(victim, bystander, PeerFuzzTest::look).run(SEED, seed -> start(victim, all, seed));
            }
        }
    }

    private static List<ChildJvm> start(ChildJvm victim, String[] arguments, long seed) throws IOException {
        List<String> all = new ArrayList<>(List.of(Long.toString(seed)));
        all.addAll(List.of(arguments));
        ChildJvm fuzzer =
                ChildJvm.start(List.of(), ChildJvm.inheritedFlags(), PeerFuzzer.class, all.toArray(String[]::new));
        victim.send("connect " + fuzzer.expect("PORT"));
        if (arguments.length > 1) {
            victim.send("claim " + fuzzer.expect("CLAIMS"));
        }
        return List.of(fuzzer);
    }

    private static Holdings look(ChildJvm victim) throws IOException {
        victim.send("look");
        int kept = 2 * Integer.parseInt(victim.expect("BELLS"));
        long heap = Long.parseLong(victim.expect("HEAP"));
        return Holdings.of(victim.pid()).without(kept).withHeap(heap);
    }
}
