// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.linux.Epoll;
import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import sun.nio.ch.DefaultSelectorProvider;

class KernelReadinessTest {
    private static final int ALL =
            SelectionKey.OP_READ | SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT | SelectionKey.OP_ACCEPT;

    /** The channel stands for one of SCTP, which this machine may lack, and which is no SocketChannel. */
    @Test
    void aChannelOfAnotherKindIsConnectedWhenItCanWrite() throws IOException {
        try (DatagramChannel other = DefaultSelectorProvider.get().openDatagramChannel()) {
            assertEquals(
                    SelectionKey.OP_CONNECT, KernelReadiness.of(other, SelectionKey.OP_CONNECT, Epoll.OUT | Epoll.IN));
            assertEquals(SelectionKey.OP_READ | SelectionKey.OP_ACCEPT, KernelReadiness.of(other, ALL, Epoll.IN));
        }
    }

    @Test
    void aSocketThatDoesNotConnectIsReadyForNothing() throws IOException {
        try (SocketChannel unconnected = DefaultSelectorProvider.get().openSocketChannel()) {
            assertEquals(0, KernelReadiness.of(unconnected, ALL, Epoll.OUT | Epoll.IN));
            assertEquals(ALL, KernelReadiness.of(unconnected, ALL, Epoll.HUP));
        }
    }
}
