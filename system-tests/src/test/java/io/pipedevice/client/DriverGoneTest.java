// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.SleepWord;
import io.pipedevice.protocol.StatusPageDescriptor;
import io.pipedevice.test.Asleep;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A missing driver, a driver of another version, and a driver that dies. */
@Timeout(60)
class DriverGoneTest {
    private static final ControlMessage ANSWER = new ControlMessage();

    @Test
    void noDriverInTheDirectory(@TempDir Path directory) {
        PdException e =
                assertThrows(PdException.class, () -> PipeDevice.init(DriverDirectory.at(directory.resolve("x"))));
        assertEquals(Errno.ENOENT, e.errno());
        assertTrue(e.getMessage().contains("no PD Driver runs at " + directory.resolve("x")), e.getMessage());
    }

    @Test
    void driverOfAnotherVersion() throws Exception {
        PdException e = assertThrows(
                PdException.class,
                () -> attachTo(() -> fakeDriver(message -> {
                    message.fail(Errno.EPROTO, "no");
                    message.memory().set(ValueLayout.JAVA_SHORT, 4, (short) 77);
                })));
        assertTrue(e.getMessage().contains("version 77"), e.getMessage());
        assertTrue(e.getMessage().contains("version " + ControlMessage.VERSION), e.getMessage());
    }

    @Test
    void driverThatRefuses() {
        PdException e = assertThrows(
                PdException.class,
                () -> attachTo(() -> fakeDriver(message -> message.fail(Errno.EMFILE, "no room for you"))));
        assertEquals(Errno.EMFILE, e.errno());
        assertTrue(e.getMessage().contains("no room for you"), e.getMessage());
    }

    @Test
    void driverThatAnswersNonsense() {
        for (Consumer<ControlMessage> answer : List.<Consumer<ControlMessage>>of(
                message -> message.answer().argument(1L << 40),
                message -> message.memory().fill((byte) 1),
                message -> message.request(3, 99))) {
            PdException e = assertThrows(PdException.class, () -> attachTo(() -> fakeDriver(answer)));
            assertEquals(Errno.EPROTO, e.errno(), e.getMessage());
        }
    }

    private static PipeDevice attachTo(ControlEndpoint driver) throws PdException {
        return PipeDevice.init(driver);
    }

    /** The socket of a driver that answers one request. */
    private static UnixSocket fakeDriver(Consumer<ControlMessage> answer) throws IOException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        Thread driver = new Thread(() -> {
            try (UnixSocket socket = pair[0]) {
                ReceivedFds fds = new ReceivedFds();
                socket.receive(ANSWER.memory(), 0, ControlMessage.LENGTH, fds, true);
                fds.closeAll();
                answer.accept(ANSWER);
                socket.sendBlocking(ANSWER.memory(), 0, ControlMessage.LENGTH);
                socket.receive(ANSWER.memory(), 0, ControlMessage.LENGTH, fds, true);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        driver.setDaemon(true);
        driver.start();
        return pair[1];
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static void assertGone(FutureTask<?> task) throws Exception {
        try {
            throw new AssertionError("returned " + task.get(50, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            PdException gone = assertInstanceOf(PdException.class, e.getCause());
            assertEquals(Errno.ENODEV, gone.errno());
            assertTrue(gone.getMessage().contains("PD Driver is gone"), gone.getMessage());
        }
    }

    @Test
    void blockedCallsWake() throws Exception {
        try (Attached attached = new Attached()) {
            Attached.Pair pair = attached.pair(4096);
            PdSocket listener = attached.listen(1);
            PdEpoll epoll = attached.client.epoll();
            PdBuffer all = new PdBuffer();
            assertTrue(pair.client.malloc(4096, all));
            List<FutureTask<?>> blocked = List.of(
                    Asleep.start(() -> pair.server.recv(1, new PdBuffer(), PipeDevice.FOREVER)),
                    Asleep.start(() -> pair.client.malloc(4096, new PdBuffer(), PipeDevice.FOREVER)),
                    Asleep.start(() -> listener.accept(PipeDevice.FOREVER)),
                    Asleep.start(() -> epoll.await(new PdEvents(1), PipeDevice.FOREVER)));
            attached.driver.close();
            for (FutureTask<?> task : blocked) {
                assertGone(task);
            }
            assertGone(start(attached.client::socket));
            assertGone(start(attached.server::epoll));
            pair.close();
            listener.close();
            epoll.close();
        }
    }

    @Test
    void pollingCallsNoticeToo() throws Exception {
        try (Attached attached = new Attached()) {
            Attached.Pair pair = attached.pair(4096);
            PdSocket listener = attached.listen(1);
            PdEpoll epoll = attached.server.epoll();
            epoll.add(pair.server, PdEpoll.IN, null);
            PdBuffer buffer = new PdBuffer();
            attached.driver.close();
            assertGone(start(() -> untilItFails(() -> pair.client.recv(1, buffer))));
            assertGone(start(() -> untilItFails(() -> epoll.await(new PdEvents(1), 0))));
            assertGone(start(() -> untilItFails(() -> {
                PdBuffer block = new PdBuffer();
                if (pair.client.malloc(64, block)) {
                    pair.client.send(block, 64);
                }
                return null;
            })));
            assertGone(start(() -> untilItFails(listener::accept)));
            assertGone(start(() -> {
                pair.server.shutdownOutput();
                return null;
            }));
        }
    }

    private static Object untilItFails(Callable<?> call) throws Exception {
        for (int i = 0; i < 10_000_000; i++) {
            call.call();
        }
        return "did not fail";
    }

    @Test
    void dataThatArrivedCanBeReceived() throws Exception {
        try (Attached attached = new Attached();
                Attached.Pair pair = attached.pair(4096)) {
            Bytes.send(pair.client, "last words");
            assertEquals("last", Bytes.receiveText(pair.server, 4));
            while (((DriverSocket) pair.server).core().slot.produced() < 10) {
                Thread.onSpinWait();
            }
            attached.driver.close();
            assertEquals("words", Bytes.receiveText(pair.server, 6).strip());
            assertGone(start(() -> pair.server.recv(1, new PdBuffer(), PipeDevice.FOREVER)));
        }
    }

    /** The driver wants room, and sleeps. A thread that makes room must wake it, and finds that the driver is gone. */
    @Test
    void dataThatArrivedAreReadAlsoIfTheDriverCannotBeNotified() throws Exception {
        try (Attached attached = new Attached();
                Attached.Pair pair = attached.pair(4096)) {
            Bytes.send(pair.client, new byte[4096]);
            Bytes.send(pair.client, new byte[4096]);
            SocketSlot slot = ((DriverSocket) pair.server).core().slot;
            while (slot.produced() < 4096 || slot.spaceWanted() == Long.MAX_VALUE) {
                Thread.onSpinWait();
            }
            DriverSession session = ((DriverSocket) pair.server).core().session;
            session.control().socket().shutdown(true, true);
            while (SleepWord.sleeping(session.pages().status.memory(), StatusPageDescriptor.SLEEP_OFFSET) == 0) {
                Thread.onSpinWait();
            }
            ByteBuffer arrived = ByteBuffer.allocate(4096 + 1);
            while (arrived.position() < 4096) {
                pair.server.read(arrived);
            }
            assertEquals(4096, arrived.position());
            assertThrows(PdException.class, () -> pair.server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        }
    }

    @Test
    void aLinkThatIsGivenUpEndsAtTheDriverAndWakesSleepingThreads() throws Exception {
        try (Attached attached = new Attached()) {
            Attached.Pair pair = attached.pair(4096);
            PdSocket listener = attached.client.listen(Attached.loopback(0), 1);
            Bytes.send(pair.client, "last words");
            FutureTask<Integer> receiving = Asleep.start(() -> pair.client.recv(1, new PdBuffer(), PipeDevice.FOREVER));
            FutureTask<PdSocket> accepting = Asleep.startVirtual(() -> listener.accept(PipeDevice.FOREVER));
            ((DriverSocket) pair.client)
                    .core()
                    .session
                    .link()
                    .fail(Errno.ETIMEDOUT, "the driver did not answer in time");
            for (FutureTask<?> task : List.of(receiving, accepting)) {
                PdException e = assertInstanceOf(
                        PdException.class,
                        assertThrows(ExecutionException.class, () -> task.get(50, TimeUnit.SECONDS))
                                .getCause());
                assertEquals(Errno.ETIMEDOUT, e.errno(), e.getMessage());
            }
            pair.client.close();
            assertEquals("last words", Bytes.receiveText(pair.server, 10));
            assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(pair.server));
            PdException refused =
                    assertThrows(PdException.class, () -> attached.server.connect(listener.localAddress(), 0));
            assertEquals(Errno.ECONNREFUSED, refused.errno());
        }
    }

    @Test
    void aDetachedProcessReceivesTheReason() throws Exception {
        try (Attached attached = new Attached()) {
            Attached.Pair pair = attached.pair(4096);
            Attached.Pair other = attached.pair(4096);
            Bytes.send(pair.server, new byte[4096]);
            assertEquals(1, pair.client.recv(1, new PdBuffer(), PipeDevice.FOREVER));
            // No honest PD Lib does this: the count of consumed bytes exceeds the produced bytes.
            ((DriverSocket) pair.client).core().slot.consumed(1L << 40);
            Bytes.send(pair.server, new byte[4096]);
            // Its connections are reset, and then it gets the reason.
            assertThrows(PdException.class, () -> Bytes.receiveEnd(other.client));
            PdException problem = assertThrows(
                    PdException.class, () -> attached.client.epoll().await(new PdEvents(1), PipeDevice.FOREVER));
            assertEquals(Errno.ENODEV, problem.errno());
            assertTrue(problem.getMessage().contains("consumed"), problem.getMessage());
            assertThrows(PdException.class, () -> Bytes.receiveEnd(other.server));
            assertFalse(attached.server.socket().sid() < 0);
        }
    }
}
