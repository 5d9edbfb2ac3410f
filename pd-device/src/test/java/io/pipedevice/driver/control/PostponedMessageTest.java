// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that are answered later. */
@Timeout(60)
final class PostponedMessageTest {
    private static final int WAITS = 1;
    private static final int WAITS_TWICE = 2;
    private static final int WATCHED = 3;
    private static final int FIRST_PLAIN = 10;

    private final List<Integer> handled = new ArrayList<>();
    private final List<ControlRequest> waiting = new ArrayList<>();
    private final Disposal disposal = new Disposal();
    private final ControlMessage message = new ControlMessage();
    private EventFd signal;
    private ControlPlane plane;
    private UnixSocket client;
    private int abandoned;
    private int ended;
    private int errno;

    /** A message that waits for some resumptions. */
    private final class Waiting implements Reply.Later {
        private final ControlRequest request;
        private final int more;
        private final boolean watched;

        Waiting(ControlRequest request, int more, boolean watched) {
            this.request = request;
            this.more = more;
            this.watched = watched;
        }

        @Override
        public Reply resume(long nowNs) throws Refusal {
            if (errno != 0) {
                throw new Refusal(errno, "after all");
            }
            return more > 0 ? new Waiting(request, more - 1, watched) : answer(request);
        }

        @Override
        public void abandon() {
            abandoned++;
        }

        @Override
        public boolean isEndWatched() {
            return watched;
        }
    }

    private static Reply answer(ControlRequest request) {
        int number = request.message().value();
        request.message().answer().value(number);
        return Reply.answer();
    }

    private final ControlHandler handler = new ControlHandler() {
        @Override
        public boolean mayCarryDescriptors(int type) {
            return true;
        }

        @Override
        public Reply handle(ControlRequest request) {
            int number = request.message().value();
            handled.add(number);
            if (number >= FIRST_PLAIN) {
                return answer(request);
            }
            waiting.add(request);
            return new Waiting(request, number == WAITS_TWICE ? 1 : 0, number == WATCHED);
        }

        @Override
        public Reply resume(ControlSession session, Reply.Later later) throws Refusal {
            return later.resume(System.nanoTime());
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
            ended++;
            plane.remove(session);
        }
    };

    @BeforeEach
    void open() throws LinuxException {
        signal = EventFd.open();
        plane = new ControlPlane(null, signal, disposal, ControlPlane.MAX_SESSIONS);
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        client = pair[1];
        plane.add(pair[0], handler);
    }

    @AfterEach
    void close() {
        client.close();
        plane.close();
        signal.close();
        disposal.close();
    }

    private void send(int number, Fd... along) throws LinuxException {
        message.request(ControlMessage.ADD_REGION, number).value(number);
        client.send(message.memory(), 0, ControlMessage.LENGTH, along);
    }

    /** The next answer, as its value; 0 if there is none. */
    private int answered() throws LinuxException {
        int length = client.receive(message.memory(), 0, ControlMessage.LENGTH, new ReceivedFds(), false);
        return length == UnixSocket.WOULD_BLOCK ? 0 : message.value();
    }

    @Test
    void noFurtherMessageIsHandledBeforeThePostponedOneIsAnswered() throws LinuxException {
        send(WAITS);
        send(FIRST_PLAIN);
        plane.poll(0, handler);
        plane.poll(0, handler);
        assertEquals(List.of(WAITS), handled);
        assertEquals(0, answered());
        waiting.getFirst().resume();
        assertEquals(WAITS, answered());
        plane.poll(0, handler);
        assertEquals(FIRST_PLAIN, answered());
        assertEquals(List.of(WAITS, FIRST_PLAIN), handled);
    }

    @Test
    void aMessageMayWaitSeveralTimesAndIsHandledOnce() throws LinuxException {
        send(WAITS_TWICE);
        plane.poll(0, handler);
        waiting.getFirst().resume();
        assertEquals(0, answered());
        waiting.getFirst().resume();
        assertEquals(WAITS_TWICE, answered());
        assertEquals(List.of(WAITS_TWICE), handled);
        assertEquals(0, abandoned);
    }

    @Test
    void otherSessionsAreServedMeanwhile() throws LinuxException {
        send(WAITS);
        plane.poll(0, handler);
        UnixSocket waits = client;
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        client = pair[1];
        plane.add(pair[0], handler);
        send(FIRST_PLAIN);
        plane.poll(0, handler);
        assertEquals(FIRST_PLAIN, answered());
        client.close();
        client = waits;
        waiting.getFirst().resume();
        assertEquals(WAITS, answered(), "the message of the other session took no part of this one");
    }

    @Test
    void aPostponedMessageMayBeRefused() throws LinuxException {
        send(WAITS);
        plane.poll(0, handler);
        errno = Errno.ENOMEM;
        waiting.getFirst().resume();
        assertEquals(0, answered());
        assertEquals(Errno.ENOMEM, message.status());
    }

    @Test
    void theEndOfASessionReleasesWhatItsMessageHolds() throws LinuxException {
        UnixSocket[] passed = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        send(WAITS, passed[0].fd());
        passed[0].close();
        plane.poll(0, handler);
        plane.close();
        assertEquals(1, abandoned);
        assertEquals(0, passed[1].receive(message.memory(), 0, ControlMessage.LENGTH, new ReceivedFds(), true));
        passed[1].close();
        waiting.getFirst().resume();
        assertEquals(1, abandoned);
        assertEquals(List.of(WAITS), handled);
    }

    @Test
    void theEndOfASessionWaitsForItsMessage() throws LinuxException {
        send(WAITS);
        plane.poll(0, handler);
        client.close();
        assertEquals(0, plane.poll(0, handler));
        assertEquals(0, ended);
        waiting.getFirst().resume();
        plane.poll(0, handler);
        assertEquals(1, ended);
        assertEquals(0, abandoned);
    }

    @Test
    void theEndOfASessionIsNoticedIfItIsWatched() throws LinuxException {
        send(WATCHED);
        send(FIRST_PLAIN);
        plane.poll(0, handler);
        assertEquals(0, plane.poll(0, handler), "a further message is no reason to wake up");
        client.close();
        assertTrue(plane.poll(0, handler) > 0);
        assertEquals(1, ended);
        assertEquals(1, abandoned);
        waiting.getFirst().resume();
        assertEquals(1, ended);
        assertEquals(List.of(WATCHED), handled);
    }
}
