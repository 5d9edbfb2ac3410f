// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.SocketSearch;
import io.pipedevice.linux.TcpPort;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * The kernel's socket of a listener, by which a driver and clients of its network namespace know it.
 *
 * @param descriptor its number in this process, as long as the listener is open
 * @param inode of the socket
 * @param namespace the kernel's number of its network namespace, {@link TcpPort#namespace}
 */
public record ListeningSocket(int descriptor, long inode, long namespace) {
    /**
     * Describes a socket of this process.
     *
     * @param descriptor its number
     * @param address that it is bound to
     * @return null if it is closed
     * @throws IOException if it cannot be inspected
     */
    public static ListeningSocket of(int descriptor, InetSocketAddress address) throws IOException {
        try (Fd copy = TcpPort.duplicate(descriptor, address)) {
            if (copy == null) {
                return null;
            }
            long inode = SocketSearch.inode(ProcessFacts.self(), descriptor);
            return new ListeningSocket(descriptor, inode, TcpPort.namespace(copy));
        }
    }
}
