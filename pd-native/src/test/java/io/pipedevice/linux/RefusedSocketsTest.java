// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RefusedSocketsTest {
    private static final int MOST = 64;
    private static final UnixAddress ADDRESS =
            UnixAddress.abstractName("pd-refused-" + ProcessHandle.current().pid());

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(8);
    private final Disposal disposal = new Disposal(Thread::new, MOST);
    private final Disposal.Account account = disposal.account("a user");
    private final CountDownLatch release = new CountDownLatch(1);
    private UnixSocket listener;
    private UnixSocket client;

    @BeforeEach
    void listen() throws LinuxException {
        listener = UnixSocket.listen(UnixSocket.Type.SEQPACKET, ADDRESS, 8);
    }

    @AfterEach
    void close() {
        release.countDown();
        disposal.close();
        client.close();
        listener.close();
        arena.close();
    }

    private UnixSocket accepted() throws LinuxException {
        client = UnixSocket.connect(UnixSocket.Type.SEQPACKET, ADDRESS);
        return listener.accept();
    }

    private void fill(Disposal.Account filled) {
        for (int i = 0; i < MOST / 2; i++) {
            filled.close(release::await);
        }
        assertTrue(filled.isFull());
    }

    private int sendDescriptor() throws LinuxException {
        return client.send(buffer, 0, 1, client.fd());
    }

    @Test
    void theKernelRefusesDescriptorsUntilTheyArePermitted() throws LinuxException {
        RefusedSockets refused = new RefusedSockets(listener, disposal, true);
        assumeTrue(refused.isGuarded(), "since Linux 6.16");
        try (UnixSocket server = accepted()) {
            assertEquals(
                    Errno.EPERM,
                    assertThrows(LinuxException.class, this::sendDescriptor).errno());
            refused.permit(server);
            assertEquals(1, sendDescriptor());
        }
    }

    @Test
    void aGuardedSocketIsClosedAtOnceAndDoesNotCrowdTheListener() throws LinuxException {
        RefusedSockets refused = new RefusedSockets(listener, disposal, true);
        assumeTrue(refused.isGuarded(), "since Linux 6.16");
        UnixSocket server = accepted();
        fill(account);
        fill(disposal.account("another"));
        refused.close(server, account);
        assertFalse(server.fd().isOpen());
        assertFalse(refused.isCrowded());
    }

    @Test
    void anUnguardedOneCrowdsTheListenerUntilItsAccountHasRoom() throws LinuxException {
        RefusedSockets refused = new RefusedSockets(listener, disposal, false);
        assertFalse(refused.isGuarded());
        UnixSocket server = accepted();
        assertEquals(1, sendDescriptor());
        fill(account);
        assertFalse(refused.isCrowded(), "no client of the account was refused");
        refused.close(server, account);
        assertTrue(server.fd().isOpen(), "closed before those that came first");
        assertTrue(refused.isCrowded());
        release.countDown();
        await().until(() -> !server.fd().isOpen());
        await().until(() -> disposal.underWay() == 0);
        assertFalse(refused.isCrowded());
    }

    @Test
    void allAccountsTogetherCrowdAnUnguardedListener() throws LinuxException {
        RefusedSockets refused = new RefusedSockets(listener, disposal, false);
        accepted().close();
        fill(account);
        assertFalse(refused.isCrowded());
        fill(disposal.account("another"));
        assertTrue(refused.isCrowded());
    }

    @Test
    void aCallByAnotherThreadFails() throws LinuxException {
        RefusedSockets refused = new RefusedSockets(listener, disposal, false);
        accepted().close();
        assertFalse(refused.isCrowded());
        CompletableFuture<Boolean> another = CompletableFuture.supplyAsync(refused::isCrowded);
        ExecutionException failed = assertThrows(ExecutionException.class, another::get);
        assertTrue(failed.getCause() instanceof AssertionError);
    }
}
