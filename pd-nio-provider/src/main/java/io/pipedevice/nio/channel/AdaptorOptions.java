// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.NetworkChannel;

/** Sets and reads the options of a channel for its socket adaptor, and throws that adaptor's exceptions. */
final class AdaptorOptions {
    private AdaptorOptions() {}

    static <T> void set(NetworkChannel channel, SocketOption<T> option, T value) throws SocketException {
        try {
            channel.setOption(option, value);
        } catch (IOException e) {
            throw Failures.ofOption(e);
        }
    }

    static <T> T get(NetworkChannel channel, SocketOption<T> option) throws SocketException {
        try {
            return channel.getOption(option);
        } catch (IOException e) {
            throw Failures.ofOption(e);
        }
    }
}
