// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** {@link Messages} by the streams of sockets: the server's side, and as an object the client's. */
final class SocketStream implements Client {
    private final Socket socket;
    private final byte[] message = new byte[Messages.SIZE];

    SocketStream(int port) throws IOException {
        socket = SocketTrips.connect(port);
    }

    static void receive(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] message = new byte[Messages.SIZE];
        long count = 0;
        while (in.readNBytes(message, 0, message.length) == message.length) {
            count++;
            if (message[0] == Messages.LAST) {
                out.writeLong(count);
                count = 0;
            }
        }
    }

    @Override
    public long run(long nanos) throws IOException {
        OutputStream out = socket.getOutputStream();
        long end = System.nanoTime() + nanos;
        long sent = 0;
        do {
            message[0] = System.nanoTime() - end < 0 ? 0 : Messages.LAST;
            out.write(message);
            sent++;
        } while (message[0] != Messages.LAST);
        return Messages.checked(sent, new DataInputStream(socket.getInputStream()).readLong());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
