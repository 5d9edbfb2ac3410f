// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;

/** The output of a {@link ClassicSocketImpl}. Its close closes the socket. */
final class ClassicOutput extends OutputStream {
    private final ClassicSocketImpl socket;

    ClassicOutput(ClassicSocketImpl socket) {
        this.socket = socket;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (length == 0) {
            return;
        }
        PdSocketChannel channel = socket.channel();
        try {
            channel.writer().writeFully(source, offset, length);
        } catch (AsynchronousCloseException e) {
            throw Failures.ofSocket(e);
        } catch (ClosedChannelException e) {
            // The output alone may be shut.
            throw Failures.ofSocket(channel.isOpen() ? new IOException("Broken pipe", e) : e);
        } catch (IOException | RuntimeException e) {
            throw Failures.ofSocket(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
