// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.memory.RingBuffer;
import io.pipedevice.property.SystemProperty;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Set;

/** The options of a socket (pd_getsockopt, pd_setsockopt). Thread safe. */
final class SocketOptions {
    static final Set<SocketOption<?>> SUPPORTED =
            Set.of(StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_LINGER);

    private volatile int sendSize = RingBuffer.DEFAULT_SIZE;
    private volatile int receiveSize = RingBuffer.DEFAULT_SIZE;
    private volatile int linger = -1;

    int sendSize() {
        return sendSize;
    }

    int receiveSize() {
        return receiveSize;
    }

    boolean abortsOnClose() {
        return linger == 0;
    }

    void receiveSize(int size) {
        receiveSize = size;
    }

    void inherit(SocketOptions listener) {
        sendSize = listener.sendSize;
        receiveSize = listener.receiveSize;
        linger = listener.linger;
    }

    <T> void set(SocketOption<T> option, T value, boolean ringsExist) {
        if (option.equals(StandardSocketOptions.SO_LINGER)) {
            linger((Integer) value);
            return;
        }
        boolean send = option.equals(StandardSocketOptions.SO_SNDBUF);
        if (!send && !option.equals(StandardSocketOptions.SO_RCVBUF)) {
            throw unsupported(option);
        }
        int size = (Integer) value;
        if (size < 0) {
            throw SystemProperty.refused(option.name(), size, "0 and more");
        }
        if (ringsExist) {
            // As with TCP, where the size is a hint: the rings of a connection keep the size that they have.
            return;
        }
        if (send) {
            sendSize = RingBuffer.sizeFor(size);
        } else {
            receiveSize = RingBuffer.sizeFor(size);
        }
    }

    private void linger(int seconds) {
        if (seconds > 0) {
            throw SystemProperty.refused(
                    StandardSocketOptions.SO_LINGER.name(), seconds, "0 (close resets the connection), negative (off)");
        }
        linger = seconds;
    }

    <T> T get(SocketOption<T> option) {
        int value;
        if (option.equals(StandardSocketOptions.SO_SNDBUF)) {
            value = sendSize;
        } else if (option.equals(StandardSocketOptions.SO_RCVBUF)) {
            value = receiveSize;
        } else if (option.equals(StandardSocketOptions.SO_LINGER)) {
            value = linger;
        } else {
            throw unsupported(option);
        }
        return option.type().cast(value);
    }

    private static UnsupportedOperationException unsupported(SocketOption<?> option) {
        return new UnsupportedOperationException(
                option.name() + " is not supported; supported are SO_SNDBUF, SO_RCVBUF, SO_LINGER");
    }
}
