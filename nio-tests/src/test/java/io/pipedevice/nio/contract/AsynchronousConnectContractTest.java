// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Connects and accepts of asynchronous channels, their addresses and their options. */
class AsynchronousConnectContractTest extends AsynchronousContract {
    private AsynchronousServerSocketChannel listenAsync() throws Exception {
        return openAsyncServer(null).bind(atServer(0));
    }

    @Test
    void connectAndAcceptByHandlers() throws Exception {
        AsynchronousServerSocketChannel listener = listenAsync();
        Completion<AsynchronousSocketChannel> accept = new Completion<>();
        listener.accept(accept, accept);
        accept.expectNone();
        AsynchronousSocketChannel client = openAsyncClient(null);
        assertNull(client.getRemoteAddress());
        assertNull(client.getLocalAddress());
        Completion<Void> connect = new Completion<>();
        client.connect(listener.getLocalAddress(), connect, connect);
        assertNull(connect.value());
        AsynchronousSocketChannel server = closeLater(accept.value());
        assertEquals(listener.getLocalAddress(), client.getRemoteAddress());
        assertEquals(client.getLocalAddress(), server.getRemoteAddress());
        assertEquals(client.getRemoteAddress(), server.getLocalAddress());
        assertThrows(AlreadyConnectedException.class, () -> client.connect(listener.getLocalAddress()));
        assertThrows(AlreadyConnectedException.class, () -> server.connect(listener.getLocalAddress()));
    }

    @Test
    void aServerAcceptsClientsThatCameBeforeAndAfter() throws Exception {
        assumeConnectsBeforeAccept();
        AsynchronousServerSocketChannel listener = listenAsync();
        for (int i = 0; i < 5; i++) {
            AsynchronousSocketChannel client = openAsyncClient(null);
            Future<AsynchronousSocketChannel> accepting = i % 2 == 0 ? listener.accept() : null;
            client.connect(listener.getLocalAddress()).get(20, TimeUnit.SECONDS);
            AsynchronousSocketChannel server =
                    closeLater((accepting == null ? listener.accept() : accepting).get(20, TimeUnit.SECONDS));
            assertEquals(1, client.write(bytes(i)).get());
            ByteBuffer target = ByteBuffer.allocate(1);
            assertEquals(1, server.read(target).get(20, TimeUnit.SECONDS));
            assertEquals(i, target.get(0));
        }
    }

    @Test
    void aRefusedConnectClosesTheChannel() throws Exception {
        InetSocketAddress nobody = nobody();
        AsynchronousSocketChannel client = openAsyncClient(null);
        Completion<Void> connect = new Completion<>();
        client.connect(nobody, connect, connect);
        assertEquals("ConnectException: Connection refused", connect.failure());
        assertFalse(client.isOpen());
        assertThrows(ClosedChannelException.class, client::getLocalAddress);
        Completion<Void> late = new Completion<>();
        client.connect(nobody, late, late);
        assertEquals("ClosedChannelException: null", late.failure());
    }

    @Test
    void invalidConnectsAreRefusedAndTheChannelStaysOpen() throws Exception {
        AsynchronousSocketChannel client = openAsyncClient(null);
        SocketAddress unresolved = InetSocketAddress.createUnresolved("no.host.invalid", 1);
        assertThrows(UnresolvedAddressException.class, () -> client.connect(unresolved));
        assertThrows(UnsupportedAddressTypeException.class, () -> client.connect(UnixDomainSocketAddress.of("/none")));
        assertThrows(NullPointerException.class, () -> client.connect(nobody(), null, null));
        assertTrue(client.isOpen());
        client.bind(atClient(0));
        assertThrows(AlreadyBoundException.class, () -> client.bind(atClient(0)));
        assertThrows(NotYetConnectedException.class, () -> client.read(ByteBuffer.allocate(1)));
    }

    @Test
    void aBoundClientKeepsItsAddress() throws Exception {
        AsynchronousServerSocketChannel listener = listenAsync();
        AsynchronousSocketChannel client = openAsyncClient(null).bind(atClient(0));
        SocketAddress bound = client.getLocalAddress();
        Future<AsynchronousSocketChannel> accepting = listener.accept();
        client.connect(listener.getLocalAddress()).get(20, TimeUnit.SECONDS);
        assertEquals(bound, client.getLocalAddress());
        assertEquals(bound, closeLater(accepting.get(20, TimeUnit.SECONDS)).getRemoteAddress());
    }

    @Test
    void acceptsThatAreNotPermitted() throws Exception {
        AsynchronousServerSocketChannel listener = openAsyncServer(null);
        assertThrows(NotYetBoundException.class, listener::accept);
        Completion<AsynchronousSocketChannel> none = new Completion<>();
        assertThrows(NotYetBoundException.class, () -> listener.accept(none, none));
        assertThrows(NullPointerException.class, () -> listener.accept(none, null));
        assertNull(listener.getLocalAddress());
        listener.bind(atServer(0), 3);
        assertThrows(AlreadyBoundException.class, () -> listener.bind(atServer(0)));
        listener.accept(none, none);
        assertThrows(AcceptPendingException.class, listener::accept);
        listener.close();
        assertEquals("AsynchronousCloseException: null", none.failure());
        assertThrows(ClosedChannelException.class, listener::getLocalAddress);
        Completion<AsynchronousSocketChannel> late = new Completion<>();
        listener.accept(late, late);
        assertEquals("ClosedChannelException: null", late.failure());
    }

    @Test
    void aCancelledAcceptIsTheLastOne() throws Exception {
        AsynchronousServerSocketChannel listener = listenAsync();
        Future<AsynchronousSocketChannel> accept = listener.accept();
        assertTrue(accept.cancel(false));
        assertThrows(CancellationException.class, accept::get);
        assertTrue(listener.isOpen());
        assertEquals(
                "Accept not allowed due cancellation",
                assertThrows(RuntimeException.class, listener::accept).getMessage());
    }

    @Test
    void aConnectThatIsPendingIsTheOnlyOne() throws Exception {
        SocketAddress full = fullListener().getLocalAddress();
        AsynchronousSocketChannel client = openAsyncClient(null);
        Completion<Void> connect = new Completion<>();
        client.connect(full, connect, connect);
        connect.expectNone();
        assertThrows(ConnectionPendingException.class, () -> client.connect(full));
        assertThrows(NotYetConnectedException.class, () -> client.read(ByteBuffer.allocate(1)));
        assertThrows(ConnectionPendingException.class, () -> client.bind(atClient(0)));
        client.close();
        assertEquals("AsynchronousCloseException: null", connect.failure());
    }

    @Test
    void aCancelledConnect() throws Exception {
        SocketAddress full = fullListener().getLocalAddress();
        AsynchronousSocketChannel client = openAsyncClient(null);
        Future<Void> connect = client.connect(full);
        assertTrue(connect.cancel(false));
        assertThrows(CancellationException.class, connect::get);
        assertTrue(client.isOpen());
        assertThrows(ConnectionPendingException.class, () -> client.connect(full));
        assertThrows(NotYetConnectedException.class, () -> client.read(ByteBuffer.allocate(1)));
        AsynchronousSocketChannel other = openAsyncClient(null);
        assertTrue(other.connect(full).cancel(true));
        assertFalse(other.isOpen());
    }

    @Test
    void theOptionsAreTheJdks() throws Exception {
        AsynchronousSocketChannel client = openAsyncClient(null);
        AsynchronousServerSocketChannel server = openAsyncServer(null);
        assertEquals(names(closeLater(AsynchronousSocketChannel.open())), names(client));
        assertEquals(names(closeLater(AsynchronousServerSocketChannel.open())), names(server));
        assertThrows(UnsupportedOperationException.class, () -> client.setOption(StandardSocketOptions.SO_LINGER, 1));
        assertThrows(UnsupportedOperationException.class, () -> client.getOption(StandardSocketOptions.IP_TOS));
        assertThrows(NullPointerException.class, () -> client.getOption(null));
        assertEquals(false, client.getOption(StandardSocketOptions.TCP_NODELAY));
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        assertEquals(true, client.getOption(StandardSocketOptions.TCP_NODELAY));
        assertThrows(IllegalArgumentException.class, () -> client.setOption(StandardSocketOptions.SO_SNDBUF, -1));
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        assertEquals(true, server.getOption(StandardSocketOptions.SO_REUSEADDR));
        client.close();
        assertThrows(ClosedChannelException.class, () -> client.getOption(StandardSocketOptions.TCP_NODELAY));
        assertThrows(ClosedChannelException.class, () -> client.setOption(StandardSocketOptions.TCP_NODELAY, true));
    }

    private static String names(NetworkChannel channel) {
        return channel.supportedOptions().stream()
                .map(Object::toString)
                .sorted()
                .collect(Collectors.joining(" "));
    }
}
