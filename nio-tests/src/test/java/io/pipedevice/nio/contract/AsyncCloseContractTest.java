// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing a channel in which a thread is blocked or about to block, and interrupting that thread. */
class AsyncCloseContractTest extends Contract {
    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeWakesABlockedRead(ThreadKind kind) throws Exception {
        Connection connection = connect();
        closeWakes(kind, "read", connection.client(), () -> connection.client().read(ByteBuffer.allocate(1)));
        Bytes.expectEnd(connection.server());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeWakesABlockedScatteringRead(ThreadKind kind) throws Exception {
        Connection connection = connect();
        ByteBuffer[] buffers = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1)};
        closeWakes(kind, "read", connection.server(), () -> connection.server().read(buffers));
        Bytes.expectEnd(connection.client());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeWakesABlockedWriteAndThePeerReadsToTheEnd(ThreadKind kind) throws Exception {
        Connection connection = connect();
        Flood flood = new Flood(connection.client()).fill();
        Task<Integer> writer = start(kind, flood::writeForEver);
        writer.awaitBlockedIn("write");
        connection.client().close();
        writer.channelWasClosed();
        flood.expectAllAt(connection.server());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeWakesABlockedReadAlsoWhileASelectorHasTheCancelledKey(ThreadKind kind) throws Exception {
        Connection connection = connect();
        SocketChannel client = connection.client();
        cancelAKeyOf(client);
        closeWakes(kind, "read", client, () -> client.read(ByteBuffer.allocate(1)));
        if (kind == ThreadKind.PLATFORM) {
            Bytes.expectEnd(connection.server());
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeWakesABlockedWriteAlsoWhileASelectorHasTheCancelledKey(ThreadKind kind) throws Exception {
        Connection connection = connect();
        cancelAKeyOf(connection.client());
        Flood flood = new Flood(connection.client()).fill();
        Task<Integer> writer = start(kind, flood::writeForEver);
        writer.awaitBlockedIn("write");
        connection.client().close();
        writer.channelWasClosed();
        if (kind == ThreadKind.PLATFORM) {
            flood.expectAllAt(connection.server());
        }
    }

    /** The selector would release the key at its next select, but it does not select. */
    private void cancelAKeyOf(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        Selector selector = openSelector(channel);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        selector.selectNow();
        key.cancel();
        channel.configureBlocking(true);
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeWakesABlockedAccept(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listen();
        closeWakes(kind, "accept", listener, listener::accept);
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeWakesABlockedConnect(ThreadKind kind) throws Exception {
        ServerSocketChannel full = fullListener();
        SocketChannel client = openClient();
        closeWakes(kind, "connect", client, () -> client.connect(full.getLocalAddress()));
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeWakesABlockedFinishConnect(ThreadKind kind) throws Exception {
        SocketChannel client = openConnecting();
        closeWakes(kind, "finishConnect", client, client::finishConnect);
    }

    /** Opens a channel whose connection stays pending, so that finishConnect blocks. */
    private SocketChannel openConnecting() throws IOException {
        SocketChannel client = openClient();
        client.configureBlocking(false);
        client.connect(fullListener().getLocalAddress());
        client.configureBlocking(true);
        return client;
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeWakesBothAReaderAndAWriter(ThreadKind kind) throws Exception {
        Connection connection = connect();
        Flood flood = new Flood(connection.client()).fill();
        Task<Integer> reader = start(kind, () -> connection.client().read(ByteBuffer.allocate(1)));
        Task<Integer> writer = start(kind, flood::writeForEver);
        reader.awaitBlockedIn("read");
        writer.awaitBlockedIn("write");
        connection.client().close();
        reader.failure(AsynchronousCloseException.class);
        writer.channelWasClosed();
        flood.expectAllAt(connection.server());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aReaderThatIsInterruptedClosesTheChannelForItsWriterToo(ThreadKind kind) throws Exception {
        Connection connection = connect();
        Flood flood = new Flood(connection.client()).fill();
        Task<Integer> reader = start(kind, () -> connection.client().read(ByteBuffer.allocate(1)));
        Task<Integer> writer = start(kind, flood::writeForEver);
        reader.awaitBlockedIn("read");
        writer.awaitBlockedIn("write");
        reader.interrupt();
        reader.failure(ClosedByInterruptException.class);
        writer.channelWasClosed();
        assertTrue(reader.interruptedAtEnd());
        assertFalse(writer.interruptedAtEnd());
        flood.expectAllAt(connection.server());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void interruptEndsABlockedRead(ThreadKind kind) throws Exception {
        Connection connection = connect();
        interruptEnds(
                kind, "read", connection.client(), () -> connection.client().read(ByteBuffer.allocate(1)));
        Bytes.expectEnd(connection.server());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void interruptEndsABlockedWrite(ThreadKind kind) throws Exception {
        Connection connection = connect();
        Flood flood = new Flood(connection.client()).fill();
        interruptEnds(kind, "write", connection.client(), flood::writeForEver);
        flood.expectAllAt(connection.server());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void interruptEndsABlockedAccept(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listen();
        interruptEnds(kind, "accept", listener, listener::accept);
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void interruptEndsABlockedConnect(ThreadKind kind) throws Exception {
        ServerSocketChannel full = fullListener();
        SocketChannel client = openClient();
        interruptEnds(kind, "connect", client, () -> client.connect(full.getLocalAddress()));
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void interruptEndsABlockedFinishConnect(ThreadKind kind) throws Exception {
        SocketChannel client = openConnecting();
        interruptEnds(kind, "finishConnect", client, client::finishConnect);
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptBeforehandClosesTheChannelOfEveryBlockingCall(ThreadKind kind) throws Exception {
        Connection reading = connect();
        interruptedBefore(kind, reading.client(), () -> reading.client().read(ByteBuffer.allocate(1)));
        Bytes.expectEnd(reading.server());
        Connection writing = connect();
        interruptedBefore(kind, writing.server(), () -> writing.server().write(ByteBuffer.allocate(1)));
        ServerSocketChannel listener = listen();
        interruptedBefore(kind, listener, listener::accept);
        ServerSocketChannel other = listen();
        SocketChannel client = openClient();
        interruptedBefore(kind, client, () -> client.connect(other.getLocalAddress()));
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptBeforehandClosesTheChannelOfFinishConnect(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listen();
        SocketChannel client = openClient();
        client.configureBlocking(false);
        if (!client.connect(listener.getLocalAddress())) {
            client.configureBlocking(true);
            interruptedBefore(kind, client, client::finishConnect);
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptBeforehandClosesTheChannelOfAStream(ThreadKind kind) throws Exception {
        for (int round = 0; round < 20; round++) {
            Connection writing = connect();
            OutputStream out = Channels.newOutputStream(writing.client());
            interruptedBefore(kind, writing.client(), () -> {
                out.write(1);
                return null;
            });
            Bytes.expectEnd(writing.server());
            Connection reading = connect();
            Bytes.send(reading.server(), "x");
            InputStream in = Channels.newInputStream(reading.client());
            interruptedBefore(kind, reading.client(), () -> in.read());
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptBeforehandClosesAlsoAChannelThatIsShutDown(ThreadKind kind) throws Exception {
        Connection reading = connect();
        reading.client().shutdownInput();
        interruptedBefore(kind, reading.client(), () -> reading.client().read(ByteBuffer.allocate(1)));
        Connection writing = connect();
        writing.client().shutdownOutput();
        interruptedBefore(kind, writing.client(), () -> writing.client().write(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptBeforehandClosesAlsoWhenNothingRemains(ThreadKind kind) throws Exception {
        ByteBuffer full = ByteBuffer.allocate(0);
        ByteBuffer[] none = {full, full};
        Connection reading = connect();
        interruptedBefore(kind, reading.client(), () -> reading.client().read(full));
        Connection scattering = connect();
        interruptedBefore(kind, scattering.client(), () -> scattering.client().read(none));
        Connection noBuffers = connect();
        interruptedBefore(kind, noBuffers.client(), () -> noBuffers.client().read(new ByteBuffer[0]));
        Connection gathering = connect();
        interruptedBefore(kind, gathering.client(), () -> gathering.client().write(none));
        Connection writing = connect();
        interruptedBefore(kind, writing.client(), () -> writing.client().write(full));
    }

    /** No other thread would close it, and its client would wait for ever. */
    @Test
    void aConnectionThatAnInterruptedAcceptTookIsClosed() throws Exception {
        Assumptions.assumeFalse(pairing.server().equals(Providers.JDK));
        assumeConnectsBeforeAccept();
        Random random = Bytes.seeded("aConnectionThatAnInterruptedAcceptTookIsClosed");
        for (int round = 0; round < 60; round++) {
            ServerSocketChannel listener = listen();
            SocketChannel client = openClient();
            client.connect(listener.getLocalAddress());
            CountDownLatch near = new CountDownLatch(1);
            Task<SocketChannel> accepting = start(() -> {
                near.countDown();
                try {
                    return accept(listener);
                } catch (ClosedByInterruptException e) {
                    return null;
                }
            });
            near.await();
            long until = System.nanoTime() + random.nextInt(100_000);
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            accepting.interrupt();
            if (accepting.result() == null) {
                isOver(client);
            }
            listener.close();
            client.close();
        }
    }

    private static void isOver(SocketChannel client) throws IOException {
        client.socket().setSoTimeout(5_000);
        try {
            assertEquals(-1, client.socket().getInputStream().read());
        } catch (SocketException e) {
            assertEquals("Connection reset", e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void anInterruptDoesNotMatterInNonBlockingMode(ThreadKind kind) throws Exception {
        Connection connection = connect();
        ServerSocketChannel listener = listen();
        connection.configureBlocking(false);
        listener.configureBlocking(false);
        Task<Object> calls = start(kind, () -> {
            Thread.currentThread().interrupt();
            assertEquals(0, connection.client().read(ByteBuffer.allocate(1)));
            assertEquals(1, connection.client().write(ByteBuffer.allocate(1)));
            return listener.accept();
        });
        assertEquals(null, calls.result());
        assertTrue(calls.interruptedAtEnd());
        assertTrue(connection.client().isOpen());
        assertTrue(listener.isOpen());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void interruptEndsASelectAndLeavesTheSelectorOpen(ThreadKind kind) throws Exception {
        Connection connection = connect();
        connection.configureBlocking(false);
        Selector selector = openSelector(connection.client());
        connection.client().register(selector, SelectionKey.OP_READ);
        Task<Integer> selecting = start(kind, () -> selector.select());
        selecting.awaitBlockedIn("select");
        selecting.interrupt();
        assertEquals(0, selecting.result());
        assertTrue(selecting.interruptedAtEnd());
        assertTrue(selector.isOpen());
        assertTrue(connection.client().isOpen());

        Task<Integer> interruptedBefore = start(kind, () -> {
            Thread.currentThread().interrupt();
            return selector.select();
        });
        assertEquals(0, interruptedBefore.result());
        assertTrue(interruptedBefore.interruptedAtEnd());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closingASelectorEndsASelect(ThreadKind kind) throws Exception {
        Connection connection = connect();
        connection.configureBlocking(false);
        Selector selector = openSelector(connection.client());
        SelectionKey key = connection.client().register(selector, SelectionKey.OP_READ);
        Task<Integer> selecting = start(kind, () -> selector.select());
        selecting.awaitBlockedIn("select");
        selector.close();
        assertEquals(0, selecting.result());
        assertFalse(key.isValid());
        assertFalse(connection.client().isRegistered());
        assertTrue(connection.client().isOpen());
    }

    private void closeWakes(ThreadKind kind, String method, Channel channel, Callable<?> call) throws Exception {
        Task<?> task = start(kind, call);
        task.awaitBlockedIn(method);
        channel.close();
        task.failure(AsynchronousCloseException.class);
        assertFalse(task.interruptedAtEnd());
        assertFalse(channel.isOpen());
    }

    private void interruptEnds(ThreadKind kind, String method, Channel channel, Callable<?> call) throws Exception {
        Task<?> task = start(kind, call);
        task.awaitBlockedIn(method);
        task.interrupt();
        task.failure(ClosedByInterruptException.class);
        assertTrue(task.interruptedAtEnd(), "the interrupt status is kept");
        assertFalse(channel.isOpen());
    }

    private void interruptedBefore(ThreadKind kind, Channel channel, Callable<?> call) throws Exception {
        Task<?> task = start(kind, () -> {
            Thread.currentThread().interrupt();
            return call.call();
        });
        task.failure(ClosedByInterruptException.class);
        assertTrue(task.interruptedAtEnd());
        assertFalse(channel.isOpen());
    }
}
