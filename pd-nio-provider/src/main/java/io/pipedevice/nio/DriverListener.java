// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.LazyLogger;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;

/**
 * The place where clients meet a server that also listens on the kernel at the same address. It is there once somebody
 * published it, and again after a driver died and another came. Thread safe.
 */
final class DriverListener implements RingListener {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    private final DriverPlacement placement;
    private final InetSocketAddress address;
    private final int backlog;
    private final int receiveSize;
    private final Runnable changed;

    /** Changed under this object's monitor. */
    private volatile PdSocket socket;

    private volatile DriverAttachment attachment;
    private volatile boolean closed;

    /** Of the rings of connections to come; guarded by this object's monitor. */
    private int listeningSize;

    /**
     * Creates it, unpublished.
     *
     * @param address that the kernel socket is bound to
     * @param receiveSize of the accepted connections' rings, in bytes; 0 for what the placement thinks best
     * @param changed is called when there is a socket to accept from, or another one; by any thread
     */
    DriverListener(
            DriverPlacement placement, InetSocketAddress address, int backlog, int receiveSize, Runnable changed) {
        this.placement = placement;
        this.address = address;
        this.backlog = backlog;
        this.receiveSize = receiveSize;
        this.changed = changed;
    }

    @Override
    public PdSource source() {
        return socket;
    }

    /** Listens, if there is a driver and it does not know this listener yet. */
    @Override
    public void refresh() {
        DriverAttachment current = placement.attach();
        if (current != null) {
            publish(current);
        }
    }

    /** Listens with an attachment; does nothing if it does already. */
    private void publish(DriverAttachment at) {
        try {
            synchronized (this) {
                if (closed || (socket != null && attachment == at)) {
                    return;
                }
                withdraw();
                listen(at);
            }
        } catch (PdException e) {
            LOG.get().log(System.Logger.Level.DEBUG, "clients of " + address + " use the kernel: " + e.getMessage());
            placement.failed(at);
            return;
        } catch (IllegalStateException e) {
            // Its driver is gone, and it was given up by another thread: whoever comes next finds another.
            return;
        }
        changed.run();
    }

    private void listen(DriverAttachment at) throws PdException {
        PdSocket listening = at.open();
        boolean done = false;
        try {
            listening.bind(address);
            listen(listening);
            attachment = at;
            socket = listening;
            done = true;
        } finally {
            if (!done) {
                at.close(listening);
            }
        }
    }

    private void listen(PdSocket listening) throws PdException {
        int size = wantedSize();
        listening.setOption(StandardSocketOptions.SO_RCVBUF, size);
        listening.listen(backlog);
        listeningSize = size;
    }

    private int wantedSize() {
        return receiveSize == 0 ? placement.ringSize() : receiveSize;
    }

    /** Rings of connections to come follow the number of those that there are. */
    private synchronized void resize(PdSocket listening) throws PdException {
        if (listeningSize != wantedSize() && listening.isOpen()) {
            listen(listening);
        }
    }

    @Override
    public RingConnection accept() throws IOException {
        PdSocket from = socket;
        DriverAttachment at = attachment;
        if (from == null) {
            return null;
        }
        try {
            from.setOption(StandardSocketOptions.SO_SNDBUF, placement.ringSize());
            resize(from);
            PdSocket accepted = from.accept();
            if (accepted == null) {
                return null;
            }
            at.use();
            return new DriverConnection(at, accepted);
        } catch (PdException e) {
            placement.failed(at);
            if (at.isServed()) {
                RingListener.requireResources(e);
                LOG.get()
                        .log(
                                System.Logger.Level.WARNING,
                                "connections that wait at {0} are reset: {1}",
                                address,
                                e.getMessage());
            }
            // It would fail for ever, and they would wait for ever.
            withdraw(from);
            return null;
        } catch (IllegalStateException e) {
            // Closed, or another one by now.
            return null;
        }
    }

    /** Whoever waited there is reset; whoever comes now comes by the kernel, and has it listen again if that is possible. */
    private void withdraw(PdSocket dead) {
        synchronized (this) {
            if (!dead.equals(socket)) {
                return;
            }
            withdraw();
        }
        changed.run();
    }

    private void withdraw() {
        if (socket != null) {
            attachment.close(socket);
            socket = null;
        }
    }

    @Override
    public String whyNone() {
        return placement.whyNone().text();
    }

    @Override
    public synchronized void close() {
        closed = true;
        withdraw();
    }
}
