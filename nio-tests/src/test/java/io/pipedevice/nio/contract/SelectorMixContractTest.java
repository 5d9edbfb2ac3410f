// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels of every kind in one selector. */
class SelectorMixContractTest extends Contract {
    /** The JDK needs only one. */
    private static final int MOST_SELECTS = 2;

    private static final long WORK_NS = 1_000_000;

    @TempDir
    Path directory;

    /** A channel to watch, and the channel that makes it readable. */
    private record Source(SelectableChannel channel, WritableByteChannel feeder) {
        void feed() throws IOException {
            Bytes.send(feeder, "x");
        }

        int take() throws IOException {
            return ((ReadableByteChannel) channel).read(ByteBuffer.allocate(10));
        }
    }

    @Test
    void everyKindOfChannelIsReportedAlone() throws Exception {
        List<Source> sources = sources();
        Selector selector = register(sources);
        for (Source source : sources) {
            source.feed();
            assertEquals(1, selector.select());
            SelectionKey key = source.channel().keyFor(selector);
            assertEquals(Set.of(key), selector.selectedKeys());
            assertEquals(OP_READ, key.readyOps());
            assertEquals(1, source.take());
            selector.selectedKeys().clear();
            assertEquals(0, selector.selectNow());
        }
    }

    /** A key that stays selected and ready, because the program does not remove it, hides no other key. */
    @Test
    void whatIsNewIsFoundBesideWhatIsSelectedAlready() throws IOException {
        Connection hot = connect();
        Connection quiet = connect();
        hot.server().configureBlocking(false);
        quiet.server().configureBlocking(false);
        Selector selector = openSelector(hot.server());
        hot.server().register(selector, SelectionKey.OP_WRITE);
        SelectionKey key = quiet.server().register(selector, OP_READ);
        assertEquals(1, selector.select());
        for (int i = 0; i < 200; i++) {
            assertEquals(0, selector.selectNow());
        }
        Bytes.send(quiet.client(), "x");
        Readiness.awaitReadable(quiet.server());
        assertEquals(1, selector.selectNow());
        assertEquals(OP_READ, key.readyOps());
    }

    @Test
    void everyKindOfChannelWakesASelect() throws Exception {
        List<Source> sources = sources();
        Selector selector = register(sources);
        for (Source source : sources) {
            Task<Integer> selecting = start(() -> selector.select());
            selecting.awaitBlockedIn("select");
            source.feed();
            assertEquals(1, selecting.result());
            assertEquals(1, source.take());
            selector.selectedKeys().clear();
        }
    }

    @Test
    void allAreReportedAtOnceIfAllAreReady() throws Exception {
        List<Source> sources = sources();
        Selector selector = register(sources);
        for (Source source : sources) {
            source.feed();
            Readiness.awaitReadable(source.channel());
        }
        assertEquals(sources.size(), selector.select());
        assertEquals(sources.size(), selector.selectedKeys().size());
    }

    /** A thread whose interrupt status stays set never sleeps in a select, but its selects still report ready keys. */
    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void everyKindIsReportedToAThreadThatStaysInterrupted(ThreadKind kind) throws Exception {
        List<Source> sources = sources();
        Selector selector = register(sources);
        for (Source source : sources) {
            source.feed();
            Readiness.awaitReadable(source.channel());
            Task<Integer> selecting = start(kind, () -> {
                Thread.currentThread().interrupt();
                return selector.select();
            });
            assertEquals(1, selecting.result(), () -> source + " is ready");
            assertTrue(selecting.interruptedAtEnd());
            assertEquals(1, source.take());
            selector.selectedKeys().clear();
        }
    }

    /** A channel that is always ready must not keep the others from being reported. */
    @Test
    void noKindStarvesAnother() throws Exception {
        List<Source> sources = sources();
        for (Source busy : sources) {
            for (Source quiet : sources) {
                if (!quiet.equals(busy)) {
                    reportedBeside(busy, quiet);
                }
            }
        }
    }

    @Test
    void noConnectionStarvesAnother() throws Exception {
        Connection busy = connect();
        Connection quiet = connect();
        busy.server().configureBlocking(false);
        quiet.server().configureBlocking(false);
        reportedBeside(new Source(busy.server(), busy.client()), new Source(quiet.server(), quiet.client()));
    }

    private void reportedBeside(Source busy, Source quiet) throws IOException {
        try (Selector selector = busy.channel().provider().openSelector()) {
            busy.channel().register(selector, OP_READ);
            SelectionKey key = quiet.channel().register(selector, OP_READ);
            busy.feed();
            for (int i = 0; i < 100; i++) {
                assertTrue(selector.select() > 0);
                assertFalse(selector.selectedKeys().contains(key));
                selector.selectedKeys().clear();
            }
            quiet.feed();
            // A driver's thread may have to wait for a processor before it delivers.
            Readiness.awaitReadable(quiet.channel());
            int selects = 0;
            while (!selector.selectedKeys().contains(key)) {
                selector.selectedKeys().clear();
                assertTrue(selects++ < MOST_SELECTS, () -> quiet + " starves beside " + busy);
                // The work of a program between two selects.
                LockSupport.parkNanos(WORK_NS);
                assertTrue(selector.select() > 0);
            }
            assertEquals(1, quiet.take());
            assertEquals(1, busy.take());
        }
    }

    @Test
    void onlyAnyThatAreLeftAreReportedWhenOthersAreCancelled() throws Exception {
        List<Source> sources = sources();
        Selector selector = register(sources);
        for (Source source : sources) {
            source.feed();
            Readiness.awaitReadable(source.channel());
        }
        for (Source source : sources) {
            assertEquals(sources.size() - sources.indexOf(source), selector.select(key -> {}));
            source.channel().keyFor(selector).cancel();
        }
        assertEquals(0, selector.selectNow());
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void listenersOfEveryKindAreAcceptedFrom() throws IOException {
        ServerSocketChannel tcp = closeLater(pairing.client().openServerSocketChannel());
        tcp.bind(loopback(0));
        ServerSocketChannel unix = closeLater(pairing.client().openServerSocketChannel(StandardProtocolFamily.UNIX));
        unix.bind(UnixDomainSocketAddress.of(directory.resolve("listener")));
        Selector selector = openSelector(tcp);
        for (ServerSocketChannel listener : List.of(tcp, unix)) {
            listener.configureBlocking(false);
            listener.register(selector, OP_ACCEPT);
        }
        SocketChannel jdk = closeLater(pairing.kernelAtClient().openSocketChannel());
        SocketChannel own = openClient();
        SocketChannel local = closeLater(pairing.client().openSocketChannel(StandardProtocolFamily.UNIX));
        jdk.connect(tcp.getLocalAddress());
        own.connect(tcp.getLocalAddress());
        local.connect(unix.getLocalAddress());
        int accepted = 0;
        while (accepted < 3) {
            accepted += selector.select(key -> closeLater(accept(key)));
        }
        assertEquals(3, accepted);
        assertEquals(0, selector.selectNow());
    }

    private static SocketChannel accept(SelectionKey key) {
        try {
            return ((ServerSocketChannel) key.channel()).accept();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theProviderOfEveryKindOpensASelectorForAllKinds() throws Exception {
        for (Source one : sources()) {
            try (Selector selector = one.channel().provider().openSelector()) {
                List<Source> sources = sources();
                for (Source source : sources) {
                    source.channel().register(selector, OP_READ);
                    source.feed();
                    assertEquals(1, selector.select(key -> assertTrue(key.isReadable())), () -> source + " by " + one);
                    assertEquals(1, source.take());
                }
            }
        }
    }

    @Test
    void theProviderOfEveryKindOpensTheSameChannels() throws Exception {
        for (Source one : sources()) {
            SelectorProvider provider = one.channel().provider();
            for (Channel opened : List.of(
                    provider.openSocketChannel(),
                    provider.openSocketChannel(StandardProtocolFamily.INET6),
                    provider.openServerSocketChannel(),
                    provider.openServerSocketChannel(StandardProtocolFamily.INET))) {
                assertSame(pairing.providerOfClient(), ((SelectableChannel) closeLater(opened)).provider());
            }
            closeLater(provider.openSocketChannel(StandardProtocolFamily.UNIX));
            closeLater(provider.openServerSocketChannel(StandardProtocolFamily.UNIX));
        }
    }

    @Test
    void kindsThatCanBeWrittenAreAllReady() throws Exception {
        List<Source> sources = sources();
        Selector selector = closeLater(pairing.client().openSelector());
        int writable = 0;
        for (Source source : sources) {
            if (source.channel() instanceof WritableByteChannel) {
                source.channel().register(selector, OP_WRITE);
                writable++;
            }
        }
        assertEquals(writable, selector.select());
    }

    private Selector register(List<Source> sources) throws IOException {
        Selector selector = closeLater(pairing.client().openSelector());
        for (Source source : sources) {
            source.channel().register(selector, OP_READ);
        }
        return selector;
    }

    /** One of each kind, all of the client's provider and in non-blocking mode, with nothing to read. */
    private List<Source> sources() throws IOException {
        List<Source> sources = new ArrayList<>();
        Connection connection = connect();
        sources.add(new Source(connection.client(), connection.server()));
        sources.add(kernelTcp());
        Pipe pipe = pairing.client().openPipe();
        sources.add(new Source(closeLater(pipe.source()), closeLater(pipe.sink())));
        sources.add(datagram());
        sources.add(unix());
        for (Source source : sources) {
            source.channel().configureBlocking(false);
        }
        return sources;
    }

    /** A connection whose other end is the JDK's, so that it stays on the kernel. */
    private Source kernelTcp() throws IOException {
        try (ServerSocketChannel listener =
                pairing.kernelAtServer().openServerSocketChannel().bind(atServer(0))) {
            SocketChannel client = openClient();
            client.connect(listener.getLocalAddress());
            return new Source(client, accept(listener));
        }
    }

    private Source datagram() throws IOException {
        DatagramChannel receiver = closeLater(pairing.client().openDatagramChannel());
        DatagramChannel sender = closeLater(Providers.JDK.openDatagramChannel());
        receiver.bind(loopback(0));
        sender.connect(receiver.getLocalAddress());
        receiver.connect(sender.getLocalAddress());
        return new Source(receiver, sender);
    }

    private Source unix() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("source"));
        try (ServerSocketChannel listener = Providers.JDK.openServerSocketChannel(StandardProtocolFamily.UNIX)) {
            listener.bind(address);
            SocketChannel client = closeLater(pairing.client().openSocketChannel(StandardProtocolFamily.UNIX));
            client.connect(address);
            // Allows another server at the same path.
            Files.delete(address.getPath());
            return new Source(client, accept(listener));
        }
    }
}
