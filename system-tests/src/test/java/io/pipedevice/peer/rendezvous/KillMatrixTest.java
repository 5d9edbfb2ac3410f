// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process is killed after each step in the life of a link and a connection, as client and as server. The other
 * process falls back to the kernel, or its socket ends as with TCP, and no resources stay.
 */
@Tag("peer")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class KillMatrixTest {
    /** So long that this timeout ends no wait of a test. */
    private static final int HANDSHAKE_MS = 60_000;

    private static final long PATIENCE_S = 30;
    private static final int PORT = FixedPort.KILL_MATRIX.number();

    private final Leaks leaks = new Leaks();
    private final PeerNetwork network = new PeerNetwork(HANDSHAKE_MS);
    private ChildJvm victim;

    @AfterEach
    void nothingIsLeft() {
        if (victim != null) {
            victim.close();
        }
        network.close();
        leaks.awaitNone();
    }

    private void start(String role, Enum<?> step) throws IOException {
        victim = ChildJvm.start(StepProcess.class, role, step.name(), Integer.toString(PORT));
    }

    private void kill(Enum<?> step) throws IOException {
        victim.expect("AT " + step);
        victim.kill();
        victim.awaitEnd();
    }

    /** Reads to the end. Returns the number of bytes, and how the stream ended. */
    private static String ending(PeerSocket socket) throws PdException {
        ByteBuffer bytes = ByteBuffer.allocate(100);
        try {
            while (true) {
                assertTrue(socket.awaitReadable(TimeUnit.SECONDS.toNanos(PATIENCE_S)), "no wake-up");
                if (socket.read(bytes) == PdSocket.END_OF_STREAM) {
                    return bytes.position() + ", end";
                }
            }
        } catch (PdException e) {
            return bytes.position() + ", " + Errno.name(e.errno());
        }
    }

    @ParameterizedTest
    @EnumSource(StepProcess.Client.class)
    void ofAClient(StepProcess.Client step) throws Exception {
        try (PeerListener listener = network.listen(TestAddresses.loopback(PORT), 8)) {
            start("CLIENT", step);
            boolean connects = step.compareTo(StepProcess.Client.POSTED) >= 0;
            PeerSocket accepted = connects ? awaitAccept(listener) : null;
            kill(step);
            if (connects) {
                try (accepted) {
                    await().until(() -> StreamProbe.link(accepted).isBroken());
                    assertEquals(expected(step.name()), ending(accepted));
                    assertGone(accepted);
                }
            }
            assertNull(listener.accept());
            await().untilAsserted(() -> assertEquals(0, Leaks.mappings()));
            try (PeerNetwork other = new PeerNetwork(HANDSHAKE_MS);
                    PeerSocket next =
                            other.meet(listener.address()).connect(TestAddresses.loopback(9), listener.address());
                    PeerSocket served = listener.accept()) {
                assertEquals(1, next.write(ByteBuffer.allocate(1)));
                assertEquals(1, served.read(ByteBuffer.allocate(1)));
            }
        }
    }

    private static PeerSocket awaitAccept(PeerListener listener) throws PdException {
        PeerSocket accepted =
                await().atMost(PATIENCE_S, TimeUnit.SECONDS).until(listener::accept, found -> found != null);
        assertEquals(7, accepted.peerAddress().getPort());
        return accepted;
    }

    /**
     * The sent bytes arrive, and then the end of the stream, as with TCP, where the kernel sends FIN if the program did
     * not.
     */
    private static String expected(String step) {
        return switch (step) {
            case "POSTED", "ACCEPTED", "SLOT_OPENED" -> "0, end";
            case "SENT", "RING_ANNOUNCED" -> StepProcess.SENT + ", end";
            default -> StepProcess.SENT + 1 + ", end";
        };
    }

    /** As with TCP, the first write to a peer that is gone succeeds, and the next one fails. */
    private static void assertGone(PeerSocket socket) throws PdException {
        assertEquals(1, socket.write(ByteBuffer.allocate(1)));
        PdException e = assertThrows(PdException.class, () -> socket.write(ByteBuffer.allocate(1)));
        assertEquals(Errno.EPIPE, e.errno());
    }

    @ParameterizedTest
    @EnumSource(StepProcess.Server.class)
    void ofAServer(StepProcess.Server step) throws Exception {
        start("SERVER", step);
        boolean meets = step.compareTo(StepProcess.Server.WELCOME) >= 0;
        if (step != StepProcess.Server.LISTENING) {
            victim.expect("LISTENING");
        }
        if (step == StepProcess.Server.LISTENING) {
            victim.expect("AT LISTENING");
        }
        CompletableFuture<ClientLink> meeting = CompletableFuture.supplyAsync(() -> meet());
        if (meets) {
            afterMeeting(step, meeting.get(PATIENCE_S, TimeUnit.SECONDS));
        } else {
            if (step == StepProcess.Server.LISTENING) {
                // Wait until the client has connected and created its memory, although the server does not accept.
                await().until(() -> Leaks.mappings() == 1);
                victim.kill();
                victim.awaitEnd();
            } else {
                kill(step);
            }
            ExecutionException e =
                    assertThrows(ExecutionException.class, () -> meeting.get(PATIENCE_S, TimeUnit.SECONDS));
            assertTrue(e.getCause().getCause() instanceof PeerRefusal, e.toString());
        }
        network.listen(TestAddresses.loopback(PORT), 8).close();
    }

    private ClientLink meet() {
        try {
            return (ClientLink) network.meet(TestAddresses.loopback(PORT));
        } catch (PeerRefusal e) {
            throw new IllegalStateException(e);
        }
    }

    private void afterMeeting(StepProcess.Server step, ClientLink link) throws Exception {
        if (step == StepProcess.Server.WELCOME) {
            kill(step);
            await().until(link::isBroken);
            PeerRefusal refusal = assertThrows(PeerRefusal.class, this::connectAnew);
            assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, refusal.reason());
            return;
        }
        try (PeerSocket socket = link.connect(TestAddresses.loopback(7), TestAddresses.loopback(PORT))) {
            assertNotNull(socket);
            kill(step);
            await().until(() -> StreamProbe.link(socket).isBroken());
            assertEquals(ofServer(step), ending(socket));
            if (step != StepProcess.Server.SAW_ENTRY) {
                assertGone(socket);
            }
            assertFalse(link.isListening());
        }
    }

    private void connectAnew() throws PeerRefusal {
        network.meet(TestAddresses.loopback(PORT))
                .connect(TestAddresses.loopback(8), TestAddresses.loopback(PORT))
                .close();
    }

    /** The kernel resets connections that were not accepted. */
    private static String ofServer(StepProcess.Server step) {
        return step == StepProcess.Server.SAW_ENTRY ? "0, ECONNRESET" : expected(step.name());
    }
}
