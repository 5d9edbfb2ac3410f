// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The options that servers set and read for each accepted connection: they are cheap, and have the kernel's values. */
class AcceptedOptionsContractTest extends Contract {
    private static final int MANY = 20;

    private static final List<SocketOption<Integer>> SIZES =
            List.of(StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF);

    @Test
    void bufferSizesAreThoseOfTheKernel() throws IOException {
        Connection connection = connect();
        Connection oracle = kernelConnection();
        for (SocketOption<Integer> size : SIZES) {
            assertEquals(oracle.client().getOption(size), connection.client().getOption(size), size.name());
            assertEquals(oracle.server().getOption(size), connection.server().getOption(size), size.name());
        }
    }

    @Test
    void acceptedChannelsReportTheSizesThatTheKernelSets() throws IOException {
        SocketChannel accepted = connect().server();
        SocketChannel oracle = kernelConnection().server();
        for (SocketOption<Integer> size : SIZES) {
            for (int wanted : new int[] {50_000, 0, 1, 50_000, 1 << 30}) {
                accepted.setOption(size, wanted);
                oracle.setOption(size, wanted);
                assertEquals(oracle.getOption(size), accepted.getOption(size), size + " of " + wanted);
            }
        }
        // An option that needs a socket of the kernel does not change the sizes.
        accepted.setOption(StandardSocketOptions.IP_TOS, 8);
        for (SocketOption<Integer> size : SIZES) {
            assertEquals(oracle.getOption(size), accepted.getOption(size), size.name());
        }
    }

    @Test
    void lingerIsBoundedAsByTheKernel() throws IOException {
        Connection connection = connect();
        for (SocketChannel channel : new SocketChannel[] {connection.client(), connection.server()}) {
            for (int[] each : new int[][] {{-5, -1}, {0, 0}, {7, 7}, {100_000, 65_535}, {-1, -1}}) {
                channel.setOption(StandardSocketOptions.SO_LINGER, each[0]);
                assertEquals(each[1], channel.getOption(StandardSocketOptions.SO_LINGER));
            }
        }
    }

    /**
     * A server sets and reads these options for each of many connections. Descriptors of other tests may be closed
     * meanwhile.
     */
    @Test
    void theUsualOptionsOfAnAcceptedChannelTakeNoDescriptor() throws IOException {
        askAsServersDo(connect().server());
        List<SocketChannel> accepted = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            accepted.add(connect().server());
        }
        long before = Resources.now().descriptors();
        for (SocketChannel each : accepted) {
            askAsServersDo(each);
        }
        long taken = Resources.now().descriptors() - before;
        assertTrue(taken < MANY / 2, () -> taken + " descriptors for " + MANY + " channels");
        Bytes.send(accepted.getFirst(), "still there");
    }

    private static void askAsServersDo(SocketChannel accepted) throws IOException {
        Socket socket = accepted.socket();
        assertTrue(socket.getSendBufferSize() > 0);
        assertTrue(socket.getReceiveBufferSize() > 0);
        assertEquals(-1, socket.getSoLinger());
        socket.setSoLinger(false, -1);
        socket.setSoLinger(true, 3);
        assertEquals(3, socket.getSoLinger());
        socket.setSendBufferSize(50_000);
        assertEquals(50_000, socket.getSendBufferSize());
        socket.setReceiveBufferSize(60_000);
        assertEquals(60_000, socket.getReceiveBufferSize());
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
    }

    private Connection kernelConnection() throws IOException {
        try (ServerSocketChannel listener =
                pairing.kernelAtServer().openServerSocketChannel().bind(atServer(0))) {
            SocketChannel client = closeLater(pairing.kernelAtClient().openSocketChannel());
            client.connect(listener.getLocalAddress());
            return new Connection(client, accept(listener));
        }
    }
}
