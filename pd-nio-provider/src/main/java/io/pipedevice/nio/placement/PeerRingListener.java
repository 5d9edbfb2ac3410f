// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.stream.PeerSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A listener that clients find without a driver. A listener that is just ending may keep its name for a while; then
 * this one tries again. Thread safe.
 */
final class PeerRingListener implements RingListener {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private final PeersPlacement placement;
    private final int backlog;
    private final Runnable changed;

    /** Null while it is not published; changed under this object's monitor. */
    private volatile PeerListener listener;

    /** Null before it is published first; this and the fields below are guarded by this object's monitor. */
    private InetSocketAddress address;

    private boolean closed;

    private long triedAtNs;

    PeerRingListener(PeersPlacement placement, int backlog, Runnable changed) {
        this.placement = placement;
        this.backlog = backlog;
        this.changed = changed;
    }

    @Override
    public synchronized void publish(InetSocketAddress bound) {
        address = bound;
        publish();
    }

    /** Publishes it; whether this call has published it. */
    private synchronized boolean publish() {
        if (closed || listener != null) {
            return false;
        }
        triedAtNs = System.nanoTime();
        listener = placement.publish(address, backlog);
        return listener != null;
    }

    @Override
    public void refresh() {
        if (listener == null && isDue() && publish()) {
            changed.run();
        }
    }

    private synchronized boolean isDue() {
        return System.nanoTime() - triedAtNs >= RETRY_NS;
    }

    @Override
    public PdSource source() {
        return listener;
    }

    @Override
    public RingConnection accept() throws IOException {
        PeerListener from = listener;
        if (from == null) {
            return null;
        }
        try {
            PeerSocket accepted = from.accept();
            return accepted == null ? null : new PeerConnection(accepted);
        } catch (PdException e) {
            AcceptFailure.throwIfExhausted(e);
            // Closed.
            return null;
        }
    }

    @Override
    public KernelReason whyKernel() {
        return listener == null ? KernelReason.NO_RENDEZVOUS : KernelReason.NOT_PIPEDEVICE_PEER;
    }

    @Override
    public synchronized void withdraw() {
        closed = true;
        if (listener != null) {
            listener.withdraw();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (listener != null) {
            listener.close();
        }
    }
}
