// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.DriverEndpoint;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;

/** An attachment of this process to a driver, as programs see it. Thread safe. */
final class AttachedDevice implements PipeDevice {
    private final Attachment attachment;
    private final PdOptions options;
    private boolean closed;

    private AttachedDevice(Attachment attachment, PdOptions options) {
        this.attachment = attachment;
        this.options = options;
    }

    /**
     * Attaches this process to a driver.
     *
     * @param endpoint where the driver is
     * @param options sizes and limits
     * @return the attachment, for the caller to close
     * @throws PdException as {@link PipeDevice#init(DriverEndpoint, PdOptions)}
     */
    static AttachedDevice attach(ControlEndpoint endpoint, PdOptions options) throws PdException {
        return new AttachedDevice(attachTo(endpoint, options), options);
    }

    /** Attaches this process to a driver; for the caller to close. */
    static Attachment attachTo(ControlEndpoint endpoint, PdOptions options) throws PdException {
        try {
            UnixSocket socket = endpoint.connect();
            Link link = new Link(socket);
            ControlChannel control = new ControlChannel(socket, link);
            try {
                return new Attacher(control, options).attach(link);
            } catch (IOException | RuntimeException | Error e) {
                control.close();
                throw e;
            }
        } catch (IOException e) {
            throw PdException.wrap("cannot attach to PD Driver", e);
        }
    }

    @Override
    public PdSocket socket() throws PdException {
        requireOpen();
        return attachment.socketControl().open();
    }

    @Override
    public PdSocket listen(InetSocketAddress local, int backlog) throws PdException {
        PdSocket listener = socket();
        try {
            listener.bind(local);
            listener.listen(backlog);
            return listener;
        } catch (PdException | RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    @Override
    public PdSocket connect(InetSocketAddress peer, int ringSize) throws PdException {
        PdSocket connection = socket();
        try {
            if (ringSize > 0) {
                connection
                        .setOption(StandardSocketOptions.SO_SNDBUF, ringSize)
                        .setOption(StandardSocketOptions.SO_RCVBUF, ringSize);
            }
            connection.connect(peer);
            return connection;
        } catch (PdException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public PdEpoll epoll() throws PdException {
        requireOpen();
        return DriverEpoll.open(attachment.session());
    }

    @Override
    public boolean isServed() {
        return !attachment.session().link().isBroken();
    }

    @Override
    public int containerId() {
        return attachment.cid();
    }

    /** Bytes of send rings that sockets use, or that the driver has not given back. */
    long sendMemoryInUse() {
        return attachment.socketControl().sendMemoryInUse();
    }

    private synchronized void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this PipeDevice was released");
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        attachment.close();
    }

    @Override
    public String toString() {
        return "PipeDevice{cid=" + attachment.cid() + ", " + options + '}';
    }
}
