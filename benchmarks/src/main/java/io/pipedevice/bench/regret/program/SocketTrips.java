// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** Round trips by the streams of some sockets, each with a thread of its own at both ends. */
final class SocketTrips implements Client {
    private final List<Socket> sockets = new ArrayList<>();
    private final Workers workers;

    SocketTrips(int port, int count, ThreadFactory threads) throws IOException {
        workers = new Workers(count, threads);
        try {
            while (sockets.size() < count) {
                sockets.add(connect(port));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Connects to a port of the loopback, with TCP_NODELAY. */
    static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(Loopback.at(port));
            socket.setTcpNoDelay(true);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The server's side of one of them. */
    static void serve(Socket socket) throws IOException {
        byte[] message = new byte[ChannelEcho.SIZE];
        while (socket.getInputStream().readNBytes(message, 0, message.length) == message.length) {
            socket.getOutputStream().write(message);
        }
    }

    @Override
    public long run(long nanos) throws Exception {
        return workers.run(nanos, (index, end) -> trips(sockets.get(index), (byte) index, end));
    }

    private static long trips(Socket socket, byte content, long end) throws IOException {
        byte[] message = new byte[ChannelEcho.SIZE];
        byte[] answer = new byte[message.length];
        Arrays.fill(message, content);
        long trips = 0;
        do {
            message[0] = (byte) trips;
            socket.getOutputStream().write(message);
            if (socket.getInputStream().readNBytes(answer, 0, answer.length) < answer.length) {
                throw new EOFException("the server ended the connection");
            }
            if (!Arrays.equals(message, answer)) {
                throw new IOException("round " + trips + " came back changed");
            }
            trips++;
        } while (System.nanoTime() - end < 0);
        return trips;
    }

    @Override
    public void close() throws IOException {
        workers.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
