// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.broker.BrokeredListener;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.peer.link.PeerRefusal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * Connections of clients that a driver introduces to a server. Those that the server has accepted from the kernel are
 * held until it is known whether their clients move to rings; those of clients of its own network namespace come by
 * rings only. Thread safe; closed with the server's {@link RingListener}.
 */
public final class HeldConnections {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    private final Locality locality;
    private final BrokeredListener<SocketChannel> listener;

    HeldConnections(Locality locality, BrokeredListener<SocketChannel> listener) {
        this.locality = locality;
        this.listener = listener;
    }

    /**
     * A connection whose way is known.
     *
     * @param rings the connection on rings, which the caller closes; null if it stays on the kernel
     * @param kernel the kernel's connection, which the caller closes; null if there is none
     * @param reason why it stays on the kernel; null if it does not, or was passed
     */
    public record Arrival(RingConnection rings, SocketChannel kernel, KernelReason reason) {}

    /** Closes a connection that no program gets. */
    static void close(SocketChannel channel) {
        try (channel) {
            // The kernel closes a socket that a driver has left under repair without a word to the client.
            channel.shutdownOutput();
        } catch (IOException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "cannot close a connection: {0}", e.getMessage());
        }
    }

    /**
     * Returns the source that is ready when {@link #accept} finds something.
     *
     * @return the same at each call
     */
    public PdSource source() {
        return listener.source();
    }

    /**
     * Holds a connection from another network namespace or host, or one that a rule of the packet filter has led here,
     * if there is a driver that can find the process at its other end. Other clients of this namespace would have come
     * by rings.
     *
     * @param accepted by the kernel; owned by this from now on if it is held
     * @return false if it stays on the kernel
     */
    public boolean hold(SocketChannel accepted) {
        try {
            InetSocketAddress client = (InetSocketAddress) accepted.getRemoteAddress();
            if (client == null || (locality.isLocal(client.getAddress()) && !KernelSocket.isRewritten(accepted))) {
                return false;
            }
            Fd socket = KernelSocket.duplicate(accepted);
            boolean held = socket != null && listener.hold(accepted, socket, client.getPort());
            if (!held && socket != null) {
                socket.close();
            }
            return held;
        } catch (IOException e) {
            // It was reset, or there is no descriptor.
            LOG.get().log(System.Logger.Level.DEBUG, "a connection is not held: {0}", e.getMessage());
            return false;
        }
    }

    /**
     * Keeps a connection that is not held for the next {@link #accept}, and makes the {@link #source} ready.
     *
     * @param accepted by the kernel; owned by this from now on
     */
    public void pass(SocketChannel accepted) {
        listener.pass(accepted);
    }

    /**
     * Takes a connection whose way is known. Never waits.
     *
     * @return null if there is none
     * @throws IOException if there is no memory for its rings at present; it continues to wait
     */
    public Arrival accept() throws IOException {
        try {
            BrokeredListener.Accepted<SocketChannel> accepted = listener.accept();
            if (accepted == null) {
                return null;
            }
            if (accepted.rings() != null) {
                return new Arrival(new PeerConnection(accepted.rings()), accepted.kernel(), null);
            }
            if (accepted.reason() == null) {
                return new Arrival(null, accepted.kernel(), null);
            }
            if (accepted.reason() == PeerRefusal.Reason.HANDSHAKE_FAILED && KernelSocket.isUseless(accepted.kernel())) {
                // The driver died while it read the socket. As if the client had reset the connection before.
                close(accepted.kernel());
                return accept();
            }
            KernelReason reason = switch (accepted.reason()) {
                case NO_RENDEZVOUS -> KernelReason.NOT_PIPEDEVICE_PEER;
                case OTHER_USER -> KernelReason.OTHER_USER;
                case POLICY -> KernelReason.POLICY;
                case NO_MEMORY -> KernelReason.NO_MEMORY;
                case NO_DESCRIPTORS -> KernelReason.NO_DESCRIPTORS;
                default -> KernelReason.HANDSHAKE_FAILED;
            };
            return new Arrival(null, accepted.kernel(), reason);
        } catch (PdException e) {
            AcceptFailure.throwIfExhausted(e);
            // Closed.
            return null;
        }
    }

    /**
     * Has a task accept from the kernel and {@link #hold} while a client waits for that, and the program does not
     * accept.
     *
     * @param accept does not wait; called by any thread
     */
    public void whenCalled(Runnable accept) {
        listener.whenCalled(accept);
    }

    /**
     * Whether as many connections are held as the kernel would keep for the program.
     *
     * @return true if no more should be accepted before the program takes some
     */
    public boolean isFull() {
        return listener.isFull();
    }

    /** The kernel listens at an address; it was announced before as it is, or as the wildcard of the other family. */
    void bound(InetSocketAddress address) {
        listener.bound(address);
    }

    /** The driver's device delivers clients of this listener to a socket of an attachment. */
    void offer(DriverAttachment attachment, PdSocket socket) {
        listener.offer(attachment.number(), socket.sid());
    }

    /** The kernel's connection under one of the device, for the caller to close; null if it is not held any more. */
    SocketChannel claim(int request) {
        return listener.claim(request);
    }

    /** No further client is introduced. Must be followed by {@link #close}. */
    void withdraw() {
        listener.withdraw();
    }

    void close() {
        listener.close();
    }
}
