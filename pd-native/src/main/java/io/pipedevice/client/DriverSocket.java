// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.ByteSource;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.MemoryFaultException;
import io.pipedevice.wait.WaitSet;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;

/**
 * The sockets of {@link AttachedDevice}: a call of a program goes to the half of the socket that serves it. A call that
 * finds the socket's memory closed fails as a call on a closed socket.
 */
public final class DriverSocket implements PdSocket {
    private final SocketCore core;
    private final SocketControl control;
    private final int introduction;

    DriverSocket(SocketCore core, SocketControl control, int introduction) {
        this.core = core;
        this.control = control;
        this.introduction = introduction;
    }

    /**
     * Connects to the other end of a kernel connection, whose data continue through the driver.
     *
     * @param peer the other end's address, as this end sees it
     * @param number the driver's, for this process only
     * @throws PdException ECONNRESET if it is not known whether the other end has the connection; any other errno if it
     *     does not
     */
    public void connectIntroduced(InetSocketAddress peer, long number) throws PdException {
        try {
            control.connectIntroduced(core, peer, number);
        } catch (IllegalStateException e) {
            throw core.misuse("connect", e);
        }
    }

    /**
     * For an accepted socket: the kernel connection that it replaces.
     *
     * @return the number of the request with which this process has shown that connection; 0 if there is none
     */
    public int introduction() {
        return introduction;
    }

    @Override
    public int sid() {
        return core.sid;
    }

    @Override
    public void bind(InetSocketAddress local) throws PdException {
        control.bind(core, Objects.requireNonNull(local));
    }

    @Override
    public void listen(int backlog) throws PdException {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog " + backlog + "; it is at least 1");
        }
        control.listen(core, backlog);
    }

    @Override
    public PdSocket accept() throws PdException {
        try {
            return core.acceptor().accept();
        } catch (IllegalStateException e) {
            throw core.misuse("accept", e);
        }
    }

    @Override
    public PdSocket accept(long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.acceptor().accept(timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("accept", e);
        }
    }

    @Override
    public void connect(InetSocketAddress peer) throws PdException {
        try {
            control.connect(core, Objects.requireNonNull(peer));
        } catch (IllegalStateException e) {
            throw core.misuse("connect", e);
        }
    }

    @Override
    public boolean malloc(int size, PdBuffer into) throws PdException {
        try {
            return core.sender().malloc(size, into);
        } catch (IllegalStateException e) {
            throw core.misuse("malloc", e);
        }
    }

    @Override
    public boolean malloc(int size, PdBuffer into, long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.sender().malloc(size, into, timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("malloc", e);
        }
    }

    @Override
    public int send(PdBuffer buffer, int offset, int length) throws PdException {
        try {
            return core.sender().send(buffer, offset, length);
        } catch (IllegalStateException e) {
            throw core.misuse("send", e);
        }
    }

    @Override
    public int send(PdBuffer buffer, int offset, int length, long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.sender().send(buffer, offset, length, timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("send", e);
        }
    }

    @Override
    public boolean bufRefresh(PdBuffer buffer) throws PdException {
        try {
            return core.sender().isReusable(buffer);
        } catch (IllegalStateException e) {
            throw core.misuse("bufRefresh", e);
        }
    }

    @Override
    public void free(PdBuffer buffer) {
        core.sender().free(buffer);
    }

    @Override
    public int recv(int maxLength, PdBuffer into) throws PdException {
        try {
            return core.receiver().recv(maxLength, into);
        } catch (IllegalStateException e) {
            throw core.misuse("recv", e);
        }
    }

    @Override
    public int recv(int maxLength, PdBuffer into, long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.receiver().recv(maxLength, into, timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("recv", e);
        }
    }

    @Override
    public void recvDone(int length) throws PdException {
        try {
            core.receiver().recvDone(length);
        } catch (IllegalStateException e) {
            throw core.misuse("recvDone", e);
        }
    }

    @Override
    public int write(ByteBuffer source) throws PdException {
        try {
            return core.sender().writes.write(source);
        } catch (MemoryFaultException e) {
            throw PdException.saying(Errno.EFAULT, e.getMessage());
        } catch (IllegalStateException e) {
            throw core.misuse("write", e);
        }
    }

    @Override
    public boolean makesRoom() {
        return false;
    }

    @Override
    public void takeUrgent(boolean inline) {
        control.takeUrgent(core, inline);
    }

    @Override
    public boolean peerTakesUrgent() {
        try {
            return core.peerTakesUrgent();
        } catch (IllegalStateException e) {
            throw core.misuse("peerTakesUrgent", e);
        }
    }

    @Override
    public void offerUrgent(byte value) throws PdException {
        try {
            core.sender().writes.dropUrgent();
        } catch (IllegalStateException e) {
            throw core.misuse("offerUrgent", e);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws PdException {
        try {
            return core.sender().writes.write(sources, offset, length);
        } catch (MemoryFaultException e) {
            throw PdException.saying(Errno.EFAULT, e.getMessage());
        } catch (IllegalStateException e) {
            throw core.misuse("write", e);
        }
    }

    @Override
    public long write(ByteSource source, long from, long most) throws PdException {
        try {
            return core.sender().writes.write(source, from, most);
        } catch (IllegalStateException e) {
            throw core.misuse("write", e);
        }
    }

    @Override
    public boolean awaitWritable(long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.sender().awaitWritable(timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("awaitWritable", e);
        }
    }

    @Override
    public int read(ByteBuffer target) throws PdException {
        try {
            return core.receiver().read(target);
        } catch (MemoryFaultException e) {
            throw PdException.saying(Errno.EFAULT, e.getMessage());
        } catch (IllegalStateException e) {
            throw core.misuse("read", e);
        }
    }

    @Override
    public boolean awaitReadable(long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.receiver().awaitReadable(timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("awaitReadable", e);
        }
    }

    @Override
    public int available() throws PdException {
        try {
            return core.receiver().available();
        } catch (IllegalStateException e) {
            throw core.misuse("available", e);
        }
    }

    @Override
    public void shutdownInput() {
        control.shutdownInput(core);
    }

    @Override
    public void stopWrites() {
        core.stopWrites();
        core.touchEpoll();
    }

    @Override
    public void shutdownOutput() throws PdException {
        try {
            control.shutdownOutput(core);
        } catch (IllegalStateException e) {
            throw core.misuse("shutdownOutput", e);
        }
    }

    @Override
    public void close() {
        control.close(core, core.options.abortsOnClose());
    }

    @Override
    public void abort() {
        control.close(core, true);
    }

    @Override
    public void endWaits() {
        core.endWaits();
    }

    @Override
    public boolean isOpen() {
        return core.isOpen();
    }

    @Override
    public PdEpoll epoll() throws PdException {
        return DriverEpoll.open(core.session);
    }

    @Override
    public InetSocketAddress localAddress() {
        return core.localAddress();
    }

    @Override
    public InetSocketAddress peerAddress() {
        return core.peerAddress();
    }

    @Override
    public <T> PdSocket setOption(SocketOption<T> option, T value) {
        core.options.set(
                Objects.requireNonNull(option),
                Objects.requireNonNull(value),
                core.state() == SocketCore.State.CONNECTED);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) {
        return core.options.get(Objects.requireNonNull(option));
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return SocketOptions.SUPPORTED;
    }

    /**
     * Opens a wait for many sockets of this socket's attachment, for a wider wait to join.
     *
     * @return the set, for the caller to close
     * @throws PdException if descriptors are exhausted, ENODEV if the driver is gone
     */
    public WaitSet newWaitSet() throws PdException {
        return DriverEpoll.open(core.session);
    }

    SocketCore core() {
        return core;
    }

    @Override
    public String toString() {
        return "PdSocket{" + core + (core.isOpen() ? "" : ", closed") + '}';
    }
}
