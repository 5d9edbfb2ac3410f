// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A socket whose link has a limit on its rate. */
@Timeout(60)
class PeerSocketRateTest extends ConnectedSockets {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(50);

    /** With a rate of 1, one byte may be sent at once. */
    private void useUp() throws Exception {
        accept();
        here.sendLimit.rate(1);
        assertEquals(1, a.write(bytes(100)));
    }

    @Test
    void withoutTokensNothingIsWrittenAndNoRingGrows() throws Exception {
        useUp();
        ByteBuffer much = bytes(100_000);
        for (int i = 0; i < 20; i++) {
            assertEquals(0, a.write(much));
            assertEquals(0, a.write(new ByteBuffer[] {much}, 0, 1));
            assertFalse(a.makesRoom());
        }
        assertEquals(0, a.readiness(PdEpoll.OUT));
        assertTrue(here.ownRings.isEmpty());
        here.sendLimit.rate(0);
        assertEquals(PdEpoll.OUT, a.readiness(PdEpoll.OUT));
        assertTrue(a.write(much) > 4096);
        assertFalse(here.ownRings.isEmpty());
    }

    @Test
    void theSameHoldsForBlocks() throws Exception {
        accept();
        PdBuffer block = new PdBuffer();
        assertTrue(a.malloc(10, block));
        here.sendLimit.rate(1);
        // The whole block, which is paid for afterwards.
        assertEquals(10, a.send(block, 0, 10));
        assertEquals(PdSocket.WOULD_BLOCK, a.send(block, 0, 10));
        assertEquals(0, a.write(bytes(100)));
        assertEquals(0, a.readiness(PdEpoll.OUT));
        here.sendLimit.rate(0);
        assertEquals(10, a.send(block, 0, 10));
        assertEquals(100, a.write(bytes(100)));
    }

    @Test
    void aThreadThatWaitsIsWokenWhenTokensAreBack() throws Exception {
        accept();
        here.sendLimit.rate(20_000);
        ByteBuffer source = bytes(5000);
        long begin = System.nanoTime();
        while (source.hasRemaining()) {
            if (a.write(source) == 0) {
                assertTrue(a.awaitWritable(LONG_NS));
            }
            b.read(ByteBuffer.allocate(5000));
        }
        long took = System.nanoTime() - begin;
        assertTrue(took >= TimeUnit.MILLISECONDS.toNanos(195), () -> took + " ns");
    }

    @Test
    void anotherRateWakesAThreadThatWaits() throws Exception {
        useUp();
        Thread changes = new Thread(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(100);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            here.sendLimit.rate(0);
        });
        changes.start();
        assertTrue(a.awaitWritable(LONG_NS));
        changes.join();
        assertEquals(100, a.write(bytes(100)));
    }
}
