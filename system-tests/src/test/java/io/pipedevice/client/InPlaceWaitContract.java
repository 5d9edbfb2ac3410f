// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.Asleep;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that wait: they return on their event, end at their timeout, and fail when the socket is closed. */
@Timeout(60)
abstract class InPlaceWaitContract extends InPlaceFixture {
    private static final long MILLIS_50 = TimeUnit.MILLISECONDS.toNanos(50);

    InPlaceWaitContract(Placement placement) {
        super(placement);
    }

    private static PdException failure(FutureTask<?> task) throws Exception {
        try {
            throw new AssertionError("returned " + task.get(50, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return assertInstanceOf(PdException.class, e.getCause());
        }
    }

    private static void fill(PdConnection socket) throws PdException {
        PdBuffer buffer = new PdBuffer();
        while (socket.malloc(1024, buffer, MILLIS_50)) {
            assertEquals(1024, socket.send(buffer, 1024));
            socket.free(buffer);
        }
    }

    @Test
    void timesOut() throws PdException {
        long start = System.nanoTime();
        assertEquals(0, client.recv(1, new PdBuffer(), MILLIS_50));
        PdBuffer all = new PdBuffer();
        assertTrue(client.malloc(RING, all));
        assertFalse(client.malloc(1, new PdBuffer(), MILLIS_50));
        long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= 2 * MILLIS_50, "took only " + elapsed + " ns");
    }

    @Test
    void sendWaitsWhileTooManyAreOnTheirWay() throws Exception {
        PdBuffer buffer = new PdBuffer();
        assertTrue(client.malloc(64, buffer));
        int posted = 0;
        while (client.send(buffer, 64, MILLIS_50) == 64) {
            posted++;
        }
        assertTrue(posted >= PdSocket.MAX_BLOCKS, "only " + posted);
        assertFalse(client.bufRefresh(buffer));
        FutureTask<Integer> waiting = Asleep.start(() -> client.send(buffer, 64, PipeDevice.FOREVER));
        Bytes.receive(server, 64 * posted);
        assertEquals(64, waiting.get(50, TimeUnit.SECONDS));
        assertTrue(client.malloc(64, new PdBuffer()));
    }

    @Test
    void recvWakesAtTheEnd() throws Exception {
        FutureTask<Integer> waiting = Asleep.start(() -> server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        client.close();
        assertEquals(PdSocket.END_OF_STREAM, waiting.get(50, TimeUnit.SECONDS));
    }

    @Test
    void recvWakesAtAReset() throws Exception {
        FutureTask<Integer> waiting = Asleep.start(() -> server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        client.abort();
        assertEquals("Connection reset", failure(waiting).getMessage());
    }

    @Test
    void mallocWakesWhenThePeerReads() throws Exception {
        fill(client);
        FutureTask<Boolean> waiting = Asleep.start(() -> client.malloc(4096, new PdBuffer(), PipeDevice.FOREVER));
        Bytes.receive(server, 2 * 8192);
        assertTrue(waiting.get(50, TimeUnit.SECONDS));
    }

    @Test
    void mallocWakesWhenAnotherThreadFrees() throws Exception {
        PdBuffer all = new PdBuffer();
        assertTrue(client.malloc(RING, all));
        FutureTask<Boolean> waiting = Asleep.start(() -> client.malloc(1, new PdBuffer(), PipeDevice.FOREVER));
        client.free(all);
        assertTrue(waiting.get(50, TimeUnit.SECONDS));
    }

    @Test
    void mallocFailsAtAReset() throws Exception {
        fill(client);
        FutureTask<Boolean> waiting = Asleep.start(() -> client.malloc(4096, new PdBuffer(), PipeDevice.FOREVER));
        server.close();
        assertEquals(Errno.ECONNRESET, failure(waiting).errno());
    }

    @Test
    void closeWakesRecv() throws Exception {
        FutureTask<Integer> waiting = Asleep.start(() -> server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        server.close();
        assertEquals(Errno.EBADF, failure(waiting).errno());
    }

    @Test
    void endWaitsWakesBothDirectionsAndLeavesTheSocketOpen() throws Exception {
        PdBuffer written = new PdBuffer();
        assertTrue(client.malloc(RING, written));
        FutureTask<Integer> receiving = Asleep.start(() -> client.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        FutureTask<Boolean> taking = Asleep.start(() -> client.malloc(1, new PdBuffer(), PipeDevice.FOREVER));
        client.endWaits();
        assertEquals(Errno.EBADF, failure(receiving).errno());
        assertEquals(Errno.EBADF, failure(taking).errno());
        assertEquals(1, client.send(written, 1));
        assertEquals(1, server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        PdException again = assertThrows(PdException.class, () -> client.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        assertEquals(Errno.EBADF, again.errno());
    }

    @Test
    void closeWakesMallocAndSend() throws Exception {
        fill(client);
        FutureTask<Boolean> waiting = Asleep.start(() -> client.malloc(4096, new PdBuffer(), PipeDevice.FOREVER));
        client.close();
        assertEquals(Errno.EBADF, failure(waiting).errno());
    }
}
