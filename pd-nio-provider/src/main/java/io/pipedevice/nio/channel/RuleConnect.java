// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.placement.KernelFallbackException;
import io.pipedevice.nio.placement.UnixConnection;
import io.pipedevice.nio.placement.UnixMeeting;
import io.pipedevice.nio.stat.ConnectionRecord;
import io.pipedevice.nio.stat.KernelLog;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.nio.transport.CallTimeout;
import io.pipedevice.nio.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.function.BooleanSupplier;

/**
 * The connect of a channel to a Unix-domain socket, because a rule of the user names one for the address. Used by the
 * holder of the channel's locks.
 *
 * @param options own the channel of the Unix-domain socket
 */
record RuleConnect(ChannelHome home, KernelSide kernelSide, OptionStore options, UnixDomainSocketAddress path) {
    /**
     * The connect to an address; null if there is no rule for it.
     *
     * @param timeoutMillis 0 for no limit
     */
    static RuleConnect of(
            ChannelHome home, KernelSide kernelSide, OptionStore options, InetSocketAddress to, int timeoutMillis) {
        UnixDomainSocketAddress path =
                home.rules().find(to, timeoutMillis, kernelSide.context().isBlocking());
        return path == null ? null : new RuleConnect(home, kernelSide, options, path);
    }

    /**
     * Connects.
     *
     * @param timeoutMillis 0 for no limit
     * @param startNs when that time began
     * @param waits whether the thread may wait for room in the backlog
     * @param interrupt keeps an interrupt during that wait, which goes on in what is left of the time
     */
    UnixConnection connect(
            SocketChannel kernel,
            InetSocketAddress to,
            int timeoutMillis,
            long startNs,
            BooleanSupplier waits,
            HeldInterrupt interrupt)
            throws KernelFallbackException {
        UnixMeeting meeting = new UnixMeeting(home.kernel(), home.locality(), path);
        while (true) {
            try {
                return meeting.connect(kernel, to, CallTimeout.leftMillis(timeoutMillis, startNs), waits);
            } catch (KernelFallbackException e) {
                if (!interrupt.take()) {
                    throw e;
                }
            }
        }
    }

    /** Takes over a connection; returns its transport. */
    Transport transport(UnixConnection unix, ConnectionRecord record) throws IOException {
        options.carriedBy(unix.channel());
        KernelLog.connects(unix.remote(), KernelReason.UNIX_RULE, path.toString());
        Transport transport = kernelSide.transport(unix, record);
        int size = options.sendSize(0);
        if (size > 0) {
            transport.sendSize(size);
        }
        return transport;
    }
}
