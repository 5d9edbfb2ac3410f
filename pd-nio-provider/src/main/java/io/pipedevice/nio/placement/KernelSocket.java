// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.OriginalDestination;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.linux.TcpSequences;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import sun.nio.ch.SelChImpl;

/** The socket of a channel of the JDK's, which may be closed at any time. */
final class KernelSocket {
    private KernelSocket() {}

    /** A descriptor of the socket, which the caller closes; null if the channel was closed meanwhile. */
    static Fd duplicate(SocketChannel channel) throws IOException {
        return TcpPort.duplicate(((SelChImpl) channel).getFDVal(), (InetSocketAddress) channel.getLocalAddress());
    }

    /** Whether a rule of this network namespace has led an accepted connection here, which no other thread has yet. */
    static boolean isRewritten(SocketChannel accepted) throws IOException {
        return OriginalDestination.isOther(
                ((SelChImpl) accepted).getFDVal(), (InetSocketAddress) accepted.getLocalAddress());
    }

    /** Whether a driver has died while it read the socket, which now sends nothing. */
    static boolean isUseless(SocketChannel channel) throws IOException {
        try (Fd socket = duplicate(channel)) {
            return socket != null && TcpSequences.isLeftInRepair(socket);
        } catch (LinuxException e) {
            // The program gets it.
            throw new IOException(Errno.text(e.errno()), e);
        }
    }
}
