// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdStream;
import io.pipedevice.nio.placement.RingConnection;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.nio.stat.RingPath;
import io.pipedevice.nio.stat.Statistics;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection on rings in blocking mode, whose channel tells whether the thread may wait. */
class RingTransportTest {
    private final List<String> waits = new ArrayList<>();

    /** The number of bytes that each next read finds, or that each next write finds room for. */
    private final Deque<Integer> found = new ArrayDeque<>();

    private boolean blocking = true;
    private boolean mayWait = true;
    private boolean open = true;

    private final class Channel implements BlockingContext {
        @Override
        public boolean isBlocking() {
            return blocking;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public boolean mayWait() {
            return mayWait;
        }

        @Override
        public void enter() {
            waits.add("enter");
        }

        @Override
        public void exit(boolean completed) throws AsynchronousCloseException {
            waits.add("exit " + completed);
            if (!completed && !open) {
                throw new AsynchronousCloseException();
            }
        }
    }

    private final PdStream stream = (PdStream) Proxy.newProxyInstance(
            PdStream.class.getClassLoader(), new Class<?>[] {PdStream.class}, (proxy, method, arguments) -> {
                return switch (method.getName()) {
                    case "read", "write" ->
                        arguments.length == 1
                                ? move((ByteBuffer) arguments[0])
                                : (Object) (long) move(((ByteBuffer[]) arguments[0])[0]);
                    case "awaitReadable", "awaitWritable" -> {
                        waits.add("await");
                        open = !found.isEmpty();
                        yield true;
                    }
                    case "peerTakesUrgent" -> true;
                    case "makesRoom" -> false;
                    default -> null;
                };
            });

    private final Transport rings = new RingTransport(
            new Channel(),
            new TransportGuard() {
                @Override
                public void closeWhenIdle(Runnable close) {
                    close.run();
                }

                @Override
                public void endWhenNobodyWrites(Runnable end) {
                    end.run();
                }
            },
            new RingConnection() {
                @Override
                public PdStream stream() {
                    return stream;
                }

                @Override
                public RingPath path() {
                    return RingPath.DIRECT;
                }

                @Override
                public void linger(int seconds) {}

                @Override
                public void sendSize(int bytes) {}

                @Override
                public void close() {}
            },
            Statistics.connectingByKernel(KernelReason.NO_RENDEZVOUS));

    private int move(ByteBuffer bytes) {
        int count = Math.min(bytes.remaining(), found.isEmpty() ? 0 : found.remove());
        bytes.position(bytes.position() + count);
        return count;
    }

    @Test
    void urgentDataThatThePeerWantsWaitForRoom() throws IOException {
        mayWait = false;
        found.addAll(List.of(0, 0, 1));
        rings.sendUrgent(7);
        assertEquals(List.of("enter", "await", "exit true"), waits);
        assertEquals(List.of(), List.copyOf(found));
    }

    @Test
    void urgentDataThatThePeerWantsNeedRoomInNonBlockingMode() throws IOException {
        blocking = false;
        found.addAll(List.of(1, 0));
        rings.sendUrgent(7);
        IOException e = assertThrows(IOException.class, () -> rings.sendUrgent(7));
        assertEquals("Socket buffer full", e.getMessage());
        assertEquals(List.of(), waits);
    }

    @Test
    void aReadThatMustNotWaitFindsNothing() throws IOException {
        mayWait = false;
        assertEquals(0, rings.read(ByteBuffer.allocate(8)));
        assertEquals(List.of(), waits);
    }

    @Test
    void aReadThatMayWaitDoes() throws IOException {
        ByteBuffer target = ByteBuffer.allocate(8);
        for (int i = 0; i < 100; i++) {
            found.add(0);
        }
        found.add(3);
        assertEquals(3, rings.read(target));
        assertEquals("enter", waits.getFirst());
        assertTrue(waits.contains("await"), waits::toString);
        assertEquals("exit true", waits.getLast());
    }

    @Test
    void aReadWithATimeoutWaitsOnAnyThread() throws IOException {
        mayWait = false;
        for (int i = 0; i < 100; i++) {
            found.add(0);
        }
        found.add(3);
        assertEquals(3, rings.read(ByteBuffer.allocate(8), Transport.FOREVER));
        assertTrue(waits.contains("await"), waits::toString);
    }

    @Test
    void aWriteThatMustNotWaitTakesWhatThereIsRoomFor() throws IOException {
        mayWait = false;
        found.add(3);
        ByteBuffer source = ByteBuffer.allocate(8);
        assertEquals(3, rings.write(source));
        assertEquals(5, source.remaining());
        assertEquals(List.of(), waits);
    }

    @Test
    void aWriteThatMayWaitTakesEverything() throws IOException {
        found.addAll(List.of(3, 1, 4));
        ByteBuffer source = ByteBuffer.allocate(8);
        assertEquals(8, rings.write(source));
        assertFalse(source.hasRemaining());
        assertEquals(List.of("enter", "await", "exit true"), waits);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWriteOfAVirtualThreadWaitsOnlyUntilItHasTakenSomething(boolean gathers) throws Exception {
        found.addAll(List.of(0, 0, 3));
        ByteBuffer source = ByteBuffer.allocate(8);
        FutureTask<Long> writing = new FutureTask<>(
                () -> gathers ? rings.write(new ByteBuffer[] {source}, 0, 1) : (long) rings.write(source));
        Thread.startVirtualThread(writing);
        assertEquals(3, writing.get());
        assertEquals(5, source.remaining());
        assertEquals(List.of("enter", "await", "exit true"), waits);
    }

    @Test
    void aReadThatACloseEndsFails() {
        assertThrows(AsynchronousCloseException.class, () -> rings.read(ByteBuffer.allocate(8)));
        assertEquals(List.of("enter", "await", "exit false"), waits);
    }
}
