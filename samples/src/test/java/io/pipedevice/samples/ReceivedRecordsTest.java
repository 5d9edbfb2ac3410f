// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PdNetwork;
import io.pipedevice.lib.PipeDevice;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ReceivedRecordsTest {
    private static final int LENGTH = 30 * Float.BYTES;

    private PdNetwork network;
    private PdConnection sender;
    private PdConnection receiver;
    private ReceivedRecords records;

    @BeforeEach
    void connect() throws IOException {
        network = Transfer.network(null);
        PdListener listener = network.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        sender = network.connect(listener.localAddress(), 0);
        receiver = listener.accept(PipeDevice.FOREVER);
        listener.close();
        records = new ReceivedRecords(receiver, Float.BYTES);
    }

    @AfterEach
    void disconnect() {
        sender.close();
        receiver.close();
        network.close();
    }

    /** Pieces of any length: each is received before the next one is sent. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 9, 13, 120})
    void floatsThatPiecesDivideArePutTogether(int piece) throws IOException {
        PdBuffer block = new PdBuffer();
        sender.malloc(LENGTH, block, PipeDevice.FOREVER);
        for (int i = 0; i < LENGTH; i += Float.BYTES) {
            block.memory().set(ValueLayout.JAVA_FLOAT_UNALIGNED, block.offset() + i, i + 0.5f);
        }
        int received = 0;
        for (int sent = 0; sent < LENGTH; ) {
            int length = Math.min(piece, LENGTH - sent);
            sender.send(block, sent, length, PipeDevice.FOREVER);
            sent += length;
            while (sent - received >= Float.BYTES) {
                int count = records.await(LENGTH - received);
                assertTrue(count > 0 && count % Float.BYTES == 0, () -> "length " + count);
                for (int i = 0; i < count; i += Float.BYTES) {
                    float value = records.memory().get(ValueLayout.JAVA_FLOAT_UNALIGNED, records.offset() + i);
                    assertEquals(received + i + 0.5f, value);
                }
                records.release();
                received += count;
            }
        }
        assertEquals(LENGTH, received);
        sender.close();
        assertEquals(0, records.await(LENGTH));
    }

    @Test
    void anEndWithinARecordIsAFailure() throws IOException {
        PdBuffer block = new PdBuffer();
        sender.malloc(Float.BYTES - 1, block, PipeDevice.FOREVER);
        sender.send(block, Float.BYTES - 1, PipeDevice.FOREVER);
        sender.close();
        assertThrows(EOFException.class, () -> records.await(LENGTH));
    }
}
