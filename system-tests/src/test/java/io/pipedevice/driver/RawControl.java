// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A control connection to a driver on which a test can send any data. One thread. */
final class RawControl implements AutoCloseable {
    private static final long PATIENCE_MS = 30_000;

    final UnixSocket socket;
    final ControlMessage message = new ControlMessage();
    final ReceivedFds fds = new ReceivedFds();
    private final Poll poll = new Poll(1);
    private int requests;

    RawControl(UnixSocket socket) {
        this.socket = socket;
        poll.add(socket.fd(), Poll.IN);
    }

    /** Begins a request. */
    ControlMessage request(int type) {
        return message.request(type, ++requests);
    }

    /** Sends the request and waits for its answer, which may be a refusal. */
    ControlMessage call(Fd... along) throws IOException {
        send(message.memory(), ControlMessage.LENGTH, along);
        return receive();
    }

    /** Sends the request, and does not wait for an answer. */
    void post() throws IOException {
        send(message.memory(), ControlMessage.LENGTH);
    }

    /** Sends any bytes. */
    void send(byte[] bytes, Fd... along) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = Foreign.bytes(arena, bytes);
            send(memory, bytes.length, along);
        }
    }

    /** Sends a message, and retries: the driver permits descriptors only after it has accepted the connection. */
    private void send(MemorySegment memory, long length, Fd... along) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_MS * 1_000_000;
        while (true) {
            try {
                socket.sendBlocking(memory, 0, length, along);
                return;
            } catch (LinuxException e) {
                if (e.errno() != Errno.EPERM || System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Waits for an answer. */
    ControlMessage receive() throws IOException {
        return receive(PATIENCE_MS);
    }

    /** Whether there is a message, or the end, within a time. */
    boolean isReadable(long timeoutMs) throws LinuxException {
        return poll.await(timeoutMs) > 0;
    }

    /** Waits for an answer, but no longer than this. */
    ControlMessage receive(long timeoutMs) throws IOException {
        if (!isReadable(timeoutMs)) {
            throw new IOException("the driver has not answered for " + timeoutMs + " ms");
        }
        int length = socket.receive(message.memory(), 0, ControlMessage.LENGTH, fds, false);
        if (length == 0) {
            throw new EOFException("the driver closed the control connection");
        }
        if (length != ControlMessage.LENGTH || !message.isMessage()) {
            throw new IOException("an answer of " + length + " bytes");
        }
        if (message.type() == ControlMessage.GOODBYE) {
            throw new RawException(message.status(), message.text());
        }
        return message;
    }

    /** Waits until the driver closes the connection, and ignores answers. Returns false if it stays open. */
    boolean awaitEnd(long timeoutMs) throws IOException {
        long deadline = System.nanoTime() + timeoutMs * 1_000_000;
        while (true) {
            try {
                int length = socket.receive(message.memory(), 0, ControlMessage.LENGTH, fds, false);
                if (length == 0) {
                    return true;
                }
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (length == UnixSocket.WOULD_BLOCK && (left <= 0 || poll.await(left) == 0)) {
                    return false;
                }
            } catch (LinuxException e) {
                if (e.errno() == Errno.ECONNRESET || e.errno() == Errno.EPIPE) {
                    return true;
                }
                throw e;
            }
        }
    }

    @Override
    public void close() {
        fds.closeAll();
        socket.close();
    }
}
