// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;

/** A connection of the peer placement between two threads. */
final class PositionsStream implements StreamFormat.Ends {
    /** No kernel socket is bound to this address, so any port works. */
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);

    private final PeerNetwork network = new PeerNetwork();
    private final PeerSocket sender;
    private final PeerSocket receiver;
    private final ByteBuffer message;
    private final ByteBuffer target = ByteBuffer.allocateDirect(StreamFormat.BUFFER_LENGTH);

    PositionsStream(int size) throws IOException {
        message = ByteBuffer.allocateDirect(size);
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                PeerListener listener = network.listen((InetSocketAddress) port.getLocalSocketAddress(), 1)) {
            InetSocketAddress server = listener.address();
            sender = network.meet(server).connect(CLIENT, server);
            receiver = listener.accept();
        } catch (PeerRefusal e) {
            throw new IOException(e);
        }
    }

    @Override
    public boolean send() throws IOException {
        sender.write(message);
        if (message.hasRemaining()) {
            return false;
        }
        message.clear();
        return true;
    }

    @Override
    public int receive() throws IOException {
        return receiver.read(target.clear());
    }

    @Override
    public void close() {
        sender.close();
        receiver.close();
        network.close();
    }
}
