// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order in which sessions with pending messages are served. */
final class ControlPlaneTest {
    /** Longer than a turn. */
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int MORE_THAN_A_TURN = 40;

    private final List<UnixSocket> opened = new ArrayList<>();
    private final List<Integer> handled = new ArrayList<>();

    private long handlingNs = SLOW_NS;

    /** A handler that takes some time, and records the number of each message. */
    private final ControlHandler handler = new ControlHandler() {
        @Override
        public boolean mayCarryDescriptors(int type) {
            return false;
        }

        @Override
        public Reply handle(ControlRequest request) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < handlingNs) {
                Thread.onSpinWait();
            }
            handled.add(request.message().value());
            return Reply.answer();
        }

        @Override
        public Reply resume(ControlSession session, Reply.Later later) {
            throw new AssertionError("postponed");
        }

        @Override
        public void overShare() {
            throw new AssertionError("over its share");
        }

        @Override
        public void misbehaved(ControlSession session, String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void ended(ControlSession session) {
            throw new AssertionError("ended");
        }
    };

    @AfterEach
    void close() {
        opened.forEach(UnixSocket::close);
    }

    private UnixSocket session(ControlPlane plane) throws LinuxException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        opened.add(pair[1]);
        plane.add(pair[0], handler);
        return pair[1];
    }

    private static void send(UnixSocket socket, int number) throws LinuxException {
        ControlMessage message = new ControlMessage().request(ControlMessage.SOCKET, number);
        socket.send(message.value(number).memory(), 0, ControlMessage.LENGTH);
    }

    @Test
    void aSessionWithManySlowMessagesDelaysOthersByAtMostATurn() throws LinuxException {
        try (EventFd signal = EventFd.open();
                ControlPlane plane = new ControlPlane(null, signal, new Disposal(), ControlPlane.MAX_SESSIONS)) {
            UnixSocket greedy = session(plane);
            UnixSocket modest = session(plane);
            for (int i = 1; i <= 8; i++) {
                send(greedy, i);
            }
            send(modest, 100);
            assertTrue(plane.poll(0, handler) > 0);
            assertEquals(List.of(1), handled);
            assertTrue(plane.turnNs() >= SLOW_NS);
            plane.poll(0, handler);
            assertEquals(List.of(1, 100), handled);
            while (handled.size() < 9) {
                assertTrue(plane.poll(0, handler) > 0, "nothing is forgotten");
            }
            assertEquals(List.of(1, 100, 2, 3, 4, 5, 6, 7, 8), handled);
        }
    }

    @Test
    void aTurnThatLeavesMessagesOfASessionIsNotComplete() throws LinuxException {
        handlingNs = 0;
        try (EventFd signal = EventFd.open();
                ControlPlane plane = new ControlPlane(null, signal, new Disposal(), ControlPlane.MAX_SESSIONS)) {
            UnixSocket busy = session(plane);
            for (int i = 1; i <= MORE_THAN_A_TURN; i++) {
                send(busy, i);
            }
            while (handled.size() < MORE_THAN_A_TURN) {
                assertTrue(plane.poll(0, handler) > 0);
                assertTrue(handled.size() == MORE_THAN_A_TURN || !plane.isTurnComplete(), () -> handled.toString());
            }
            plane.poll(0, handler);
            assertTrue(plane.isTurnComplete());
        }
    }

    @Test
    void messagesOfAModestSessionAreHandledWithinTwoRounds() throws LinuxException {
        try (EventFd signal = EventFd.open();
                ControlPlane plane = new ControlPlane(null, signal, new Disposal(), ControlPlane.MAX_SESSIONS)) {
            List<UnixSocket> greedy = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                greedy.add(session(plane));
            }
            UnixSocket modest = session(plane);
            for (UnixSocket each : greedy) {
                for (int i = 0; i < MORE_THAN_A_TURN; i++) {
                    send(each, 1);
                }
            }
            plane.poll(0, handler);
            long begin = plane.rounds();
            for (int i = 0; i < Rounds.MOST_SERVINGS; i++) {
                send(modest, 100 + i);
            }
            while (plane.rounds() - begin < 2) {
                plane.poll(0, handler);
                assertFalse(plane.isTurnComplete());
            }
            assertTrue(handled.containsAll(List.of(100, 101, 102, 103)), handled::toString);
        }
    }

    @Test
    void aCompleteTurnIsARound() throws LinuxException {
        try (EventFd signal = EventFd.open();
                ControlPlane plane = new ControlPlane(null, signal, new Disposal(), ControlPlane.MAX_SESSIONS)) {
            send(session(plane), 1);
            plane.poll(0, handler);
            long begin = plane.rounds();
            plane.poll(0, handler);
            assertTrue(plane.isTurnComplete());
            assertEquals(begin + 1, plane.rounds());
        }
    }
}
