// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.metrics;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A connection of a {@link MetricsServer}, with one request and one answer. Another thread ends it by {@link #close}
 * whenever it is too slow.
 */
final class MetricsConnection implements Runnable, AutoCloseable {
    /** How long a client may take to send its request. */
    private static final long REQUEST_NS = TimeUnit.SECONDS.toNanos(5);

    /** How long a connection may take, with the wait for the metrics and the answer. */
    private static final long WHOLE_NS = TimeUnit.SECONDS.toNanos(20);

    /** The longest request, without a body. */
    private static final int MOST_BYTES = 8192;

    private final Socket socket;
    private final InetAddress client;
    private final MetricsPage page;
    private final MetricsConnections all;
    private final long acceptedNs;
    private volatile boolean asked;

    MetricsConnection(Socket socket, MetricsPage page, MetricsConnections all, long acceptedNs) {
        this.socket = socket;
        this.client = socket.getInetAddress();
        this.page = page;
        this.all = all;
        this.acceptedNs = acceptedNs;
    }

    InetAddress client() {
        return client;
    }

    /** Whether the whole request was received. */
    boolean hasAsked() {
        return asked;
    }

    boolean isExpired(long nowNs) {
        return nowNs - acceptedNs > (asked ? WHOLE_NS : REQUEST_NS);
    }

    @Override
    public void run() {
        try (this) {
            MetricsRequest request = receive();
            asked = true;
            socket.getOutputStream().write(page.answer(request));
            socket.shutdownOutput();
        } catch (IOException e) {
            // The client has gone, or was too slow. It has to ask again.
            return;
        }
    }

    /** Receives a request; one that is malformed or too long becomes one that is refused. */
    private MetricsRequest receive() throws IOException {
        InputStream input = socket.getInputStream();
        byte[] bytes = new byte[MOST_BYTES];
        int length = 0;
        while (!MetricsRequest.isComplete(bytes, length)) {
            if (length == bytes.length) {
                return MetricsRequest.INVALID;
            }
            int count = input.read(bytes, length, bytes.length - length);
            if (count < 0) {
                throw new EOFException("the client has closed the connection");
            }
            length += count;
        }
        return MetricsRequest.of(Arrays.copyOf(bytes, length));
    }

    @Override
    public void close() {
        all.remove(this);
        try {
            socket.close();
        } catch (IOException e) {
            // It counts as closed.
            return;
        }
    }
}
