// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.client.DriverSocket;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.nio.stat.KernelReason;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;

/** The way through a driver. */
record DriverMeeting(DriverPlacement placement, DriverAttachment attachment) implements RingMeeting {
    @Override
    public RingConnection connect(SourcePort from, InetSocketAddress to, RingSizes sizes)
            throws KernelFallbackException {
        InetSocketAddress reserved = from.reserve();
        try {
            return new DriverConnection(attachment, connect(sizes, reserved, to));
        } catch (PdException e) {
            placement.failed(attachment);
            throw new KernelFallbackException(reasonOf(e), words(e));
        } catch (IllegalStateException e) {
            throw new KernelFallbackException(KernelReason.DRIVER_GONE, e.getMessage());
        }
    }

    private PdSocket connect(RingSizes sizes, InetSocketAddress from, InetSocketAddress to) throws PdException {
        return connect(sizes, socket -> {
            socket.bind(from);
            socket.connect(to);
        });
    }

    /**
     * Replaces a kernel connection.
     *
     * @param number the driver's for that connection
     * @throws SocketException if it is not known whether the other end uses rings too
     */
    RingConnection connect(long number, InetSocketAddress to, RingSizes sizes)
            throws KernelFallbackException, SocketException {
        try {
            return new DriverConnection(
                    attachment, connect(sizes, socket -> ((DriverSocket) socket).connectIntroduced(to, number)));
        } catch (PdException e) {
            placement.failed(attachment);
            if (e.errno() == Errno.ECONNRESET) {
                throw new SocketException(e.getMessage());
            }
            throw new KernelFallbackException(reasonOf(e), words(e));
        } catch (IllegalStateException e) {
            throw new KernelFallbackException(KernelReason.DRIVER_GONE, e.getMessage());
        }
    }

    /** Connects a new socket. */
    @FunctionalInterface
    private interface Step {
        void run(PdSocket socket) throws PdException;
    }

    private PdSocket connect(RingSizes sizes, Step step) throws PdException {
        PdSocket socket = attachment.open();
        boolean done = false;
        try {
            int size = placement.ringSize();
            socket.setOption(StandardSocketOptions.SO_SNDBUF, sizes.sendSize(size));
            socket.setOption(StandardSocketOptions.SO_RCVBUF, sizes.receiveSize(size));
            step.run(socket);
            done = true;
            return socket;
        } finally {
            if (!done) {
                attachment.close(socket);
            }
        }
    }

    /** The reason why the driver or PD Lib refused. */
    static KernelReason reasonOf(PdException e) {
        if (Errno.isLackOfDescriptors(e.errno())) {
            return KernelReason.NO_DESCRIPTORS;
        }
        if (Errno.isExhausted(e.errno())) {
            return KernelReason.NO_MEMORY;
        }
        return switch (e.errno()) {
            case Errno.ECONNREFUSED -> refusal(e);
            case Errno.EACCES -> KernelReason.OTHER_USER;
            case Errno.EPERM -> KernelReason.POLICY;
            case Errno.ENODEV, Errno.EPROTO, Errno.ETIMEDOUT -> KernelReason.DRIVER_GONE;
            default -> KernelReason.HANDSHAKE_FAILED;
        };
    }

    /** As for TCP, a listener that is missing or full has one errno; the driver's message tells which. */
    private static KernelReason refusal(PdException e) {
        String words = words(e);
        boolean full = words.contains("backlog") || words.contains("all the sockets");
        return full ? KernelReason.BACKLOG_FULL : KernelReason.NO_RENDEZVOUS;
    }

    /** The driver's message, which is in the cause of a refusal. */
    private static String words(PdException e) {
        return e.getCause() instanceof PdException driver ? driver.getMessage() : e.getMessage();
    }
}
