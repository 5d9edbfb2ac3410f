// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.nio.stat.KernelReason;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;

/** Connects through a driver. */
record DriverMeeting(DriverPlacement placement, DriverAttachment attachment) implements RingMeeting {
    @Override
    public RingConnection connect(SourcePort from, InetSocketAddress to, OptionStore options) throws StaysOnKernel {
        InetSocketAddress reserved = from.reserve();
        try {
            return new DriverConnection(attachment, connect(options, reserved, to));
        } catch (PdException e) {
            placement.failed(attachment);
            throw new StaysOnKernel(reasonOf(e), words(e));
        } catch (IllegalStateException e) {
            throw new StaysOnKernel(KernelReason.DRIVER_GONE, e.getMessage());
        }
    }

    private PdSocket connect(OptionStore options, InetSocketAddress from, InetSocketAddress to) throws PdException {
        PdSocket socket = attachment.open();
        boolean done = false;
        try {
            int size = placement.ringSize();
            socket.setOption(StandardSocketOptions.SO_SNDBUF, options.sendSize(size));
            socket.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveSize(size));
            socket.bind(from);
            socket.connect(to);
            done = true;
            return socket;
        } finally {
            if (!done) {
                attachment.close(socket);
            }
        }
    }

    /** Why the driver or PD Lib refused. */
    static KernelReason reasonOf(PdException e) {
        if (Errno.isExhausted(e.errno())) {
            return KernelReason.NO_MEMORY;
        }
        return switch (e.errno()) {
            case Errno.ECONNREFUSED -> refusal(e);
            case Errno.ENODEV, Errno.EPROTO, Errno.ETIMEDOUT -> KernelReason.DRIVER_GONE;
            default -> KernelReason.HANDSHAKE_FAILED;
        };
    }

    /** A refusal is one number, as it is for TCP; what it is about is in the driver's words. */
    private static KernelReason refusal(PdException e) {
        String words = words(e);
        if (words.contains("another user")) {
            return KernelReason.OTHER_USER;
        }
        boolean full = words.contains("backlog") || words.contains("all the sockets");
        return full ? KernelReason.BACKLOG_FULL : KernelReason.NO_RENDEZVOUS;
    }

    /** What the driver said, which of a refusal is in the cause. */
    private static String words(PdException e) {
        return e.getCause() instanceof PdException driver ? driver.getMessage() : e.getMessage();
    }
}
