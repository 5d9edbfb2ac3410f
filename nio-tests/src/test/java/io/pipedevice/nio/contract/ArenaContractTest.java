// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Buffers whose arena is closed: an exception reports this mistake of the program, and the connection survives it. */
class ArenaContractTest extends Contract {
    @Test
    void aReadIntoAClosedArenaTakesNothing() throws IOException {
        Connection connection = connect();
        ByteBuffer gone = gone();
        Bytes.send(connection.server(), "kept");
        refused(() -> connection.client().read(gone));
        refused(() -> connection.client().read(new ByteBuffer[] {ByteBuffer.allocate(2), gone}));
        refused(() -> connection.client().read(new ByteBuffer[] {gone, ByteBuffer.allocate(2)}));
        Bytes.expect(connection.client(), "kept");
        works(connection);
    }

    @Test
    void aReadIntoAClosedArenaDoesNotWait() throws IOException {
        Connection connection = connect();
        ByteBuffer gone = gone();
        refused(() -> connection.client().read(gone));
        connection.client().configureBlocking(false);
        refused(() -> connection.client().read(gone));
        connection.client().configureBlocking(true);
        works(connection);
    }

    @Test
    void aWriteFromAClosedArenaSendsNothing() throws IOException {
        Connection connection = connect();
        ByteBuffer gone = gone();
        refused(() -> connection.client().write(gone));
        ByteBuffer first = Bytes.ascii("never");
        refused(() -> connection.client().write(new ByteBuffer[] {first, gone}));
        refused(() -> connection.client().write(new ByteBuffer[] {gone, first}));
        assertEquals(0, first.position());
        works(connection);
    }

    /** The JDK's own channel would make the close of the arena fail. */
    @Test
    void anArenaThatIsClosedWhileAReadWaitsFailsThatReadAlone() throws Exception {
        Assumptions.assumeTrue(pairing.accelerated());
        Connection connection = connect();
        Arena arena = Arena.ofShared();
        ByteBuffer target = arena.allocate(8).asByteBuffer();
        Task<Integer> reader = start(() -> connection.client().read(target));
        reader.awaitBlockedIn("read");
        arena.close();
        Bytes.send(connection.server(), "kept");
        reader.failure(IllegalStateException.class);
        Bytes.expect(connection.client(), "kept");
        works(connection);
    }

    private static ByteBuffer gone() {
        try (Arena arena = Arena.ofShared()) {
            return arena.allocate(8).asByteBuffer();
        }
    }

    private static void refused(Executable call) {
        assertThrowsExactly(IllegalStateException.class, call);
    }

    private static void works(Connection connection) throws IOException {
        Bytes.send(connection.server(), "ping");
        Bytes.expect(connection.client(), "ping");
        Bytes.send(connection.client(), "pong");
        Bytes.expect(connection.server(), "pong");
    }
}
