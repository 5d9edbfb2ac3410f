// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/** A command that sends back what it receives, until the end of its input. */
final class SshdEcho implements Command {
    private InputStream in;
    private OutputStream out;
    private ExitCallback exit;

    @Override
    public void setInputStream(InputStream stream) {
        in = stream;
    }

    @Override
    public void setOutputStream(OutputStream stream) {
        out = stream;
    }

    @Override
    public void setErrorStream(OutputStream stream) {
        // It has nothing to say.
    }

    @Override
    public void setExitCallback(ExitCallback callback) {
        exit = callback;
    }

    @Override
    public void start(ChannelSession channel, Environment environment) {
        Thread.ofPlatform().daemon().start(this::echo);
    }

    private void echo() {
        byte[] piece = new byte[32 << 10];
        try {
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                out.write(piece, 0, length);
                out.flush();
            }
            exit.onExit(0);
        } catch (IOException e) {
            exit.onExit(1, e.toString());
        }
    }

    @Override
    public void destroy(ChannelSession channel) {
        // The end of the input ends it.
    }
}
