// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PeerInPlaceStreamTest extends InPlaceStreamContract {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Rounds allocate until their code is compiled: for about this time, or for more rounds on a busy machine. */
    private static final long COMPILED_NS = TimeUnit.SECONDS.toNanos(20);

    private static final int ROUNDS = 40;

    PeerInPlaceStreamTest() {
        super(Placement.PEER);
    }

    @Test
    @Timeout(300)
    void nothingIsAllocatedForAMessage() throws PdException {
        PdBuffer out = new PdBuffer();
        PdBuffer in = new PdBuffer();
        long least = Long.MAX_VALUE;
        long start = System.nanoTime();
        for (int round = 0; least > 0 && (round < ROUNDS || System.nanoTime() - start < COMPILED_NS); round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 5000; i++) {
                exchange(out, in);
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least, "bytes allocated by 5000 messages");
    }

    private void exchange(PdBuffer out, PdBuffer in) throws PdException {
        assertTrue(client.malloc(3000, out));
        client.send(out, 3000);
        client.free(out);
        for (int left = 3000; left > 0; ) {
            int length = server.recv(left, in);
            if (length > 0) {
                server.recvDone(length);
                left -= length;
            }
        }
    }
}
