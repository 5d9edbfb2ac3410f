// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/** What the JDK says if a connect is refused. */
final class Refusals {
    /** Where the thread blocks in connect(2). */
    static final String BLOCKING = "Connection refused";

    /** Where the thread waits in poll(2), or finishes the connect of a non-blocking channel. It differs by update. */
    static final String WAITING = waiting();

    private Refusals() {}

    private static String waiting() {
        try (SocketChannel bound = Providers.JDK.openSocketChannel();
                SocketChannel channel = Providers.JDK.openSocketChannel()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.socket().connect(bound.getLocalAddress(), 10_000);
            throw new AssertionError("a socket accepts that does not listen");
        } catch (ConnectException e) {
            return e.getMessage();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
