// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.stream.PeerSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;

/**
 * The way through a link to a process of this network namespace.
 *
 * @param link to the listener's process
 */
record PeerMeeting(PeerLink link) implements RingMeeting {
    @Override
    public RingConnection connect(SourcePort from, InetSocketAddress to, RingSizes sizes)
            throws KernelFallbackException {
        try {
            InetAddress source = link.isWithinProcess() ? null : from.free();
            PeerSocket again = source == null ? null : link.connectAgain(source, to);
            return new PeerConnection(again == null ? connectFromNew(from, to) : again);
        } catch (PeerRefusal e) {
            throw stays(e);
        }
    }

    private PeerSocket connectFromNew(SourcePort from, InetSocketAddress to)
            throws KernelFallbackException, PeerRefusal {
        InetSocketAddress reserved = from.reserve();
        if (link.isWithinProcess()) {
            return link.connect(reserved, to);
        }
        try (Fd port = from.duplicate(reserved)) {
            if (port == null) {
                throw new KernelFallbackException(KernelReason.NO_SOURCE_PORT, "the channel is closed");
            }
            return link.connect(reserved, port, to);
        } catch (LinuxException e) {
            throw new KernelFallbackException(KernelReason.NO_DESCRIPTORS, e.getMessage());
        }
    }

    @Override
    public boolean awaitRoom(long nanos, BooleanSupplier goesOn) {
        return link.awaitRoom(nanos, goesOn);
    }

    /** The fallback for a refusal. */
    static KernelFallbackException stays(PeerRefusal e) {
        return new KernelFallbackException(reasonOf(e), e.getMessage());
    }

    private static KernelReason reasonOf(PeerRefusal e) {
        return switch (e.reason()) {
            case NO_RENDEZVOUS -> KernelReason.NO_RENDEZVOUS;
            case OTHER_USER -> KernelReason.OTHER_USER;
            case POLICY -> KernelReason.POLICY;
            case OTHER_PROCESS -> KernelReason.OTHER_PROCESS;
            case NO_MEMORY -> KernelReason.NO_MEMORY;
            case NO_DESCRIPTORS -> KernelReason.NO_DESCRIPTORS;
            case BACKLOG_FULL -> KernelReason.BACKLOG_FULL;
            case VERSION, HANDSHAKE_FAILED -> KernelReason.HANDSHAKE_FAILED;
        };
    }
}
