// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.broker.Introduction;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.nio.stat.KernelReason;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.wait.FairTimeout;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.SocketChannel;

/**
 * A connection that the kernel makes, and that changes to rings before its first byte if both ends take part. The
 * channel asks when the kernel's connection stands, waits for the decision, and connects. Used by the holder of the
 * channel's locks, except for methods that say otherwise.
 */
public final class KernelMeeting {
    /** The driver's device, as the way for a connection that stands. */
    @FunctionalInterface
    interface Device {
        /**
         * Connects by the driver's number for a connection.
         *
         * @throws SocketException if it is not known whether the other end uses rings too
         */
        RingConnection connect(long number, InetSocketAddress to, RingSizes sizes)
                throws KernelFallbackException, SocketException;
    }

    private final Device device;
    private final Introduction introduction;
    private final Destination destination;
    private final SocketChannel kernel;
    private final long timeoutNs;

    KernelMeeting(
            Device device, Introduction introduction, Destination destination, SocketChannel kernel, long timeoutNs) {
        this.device = device;
        this.introduction = introduction;
        this.destination = destination;
        this.kernel = kernel;
        this.timeoutNs = timeoutNs;
    }

    /**
     * Asks for the other end of the kernel's connection, which stands and on which nothing was sent. Called once.
     *
     * @param waits whether the caller calls {@link #await} next
     * @param decided runs when {@link #isDecided}; on any thread, which it must not block
     * @throws IOException if the kernel's channel is closed, or there is no descriptor
     */
    public void ask(boolean waits, Runnable decided) throws IOException {
        destination.stands();
        Fd socket = KernelSocket.duplicate(kernel);
        if (socket == null) {
            throw new LinuxException("fcntl", Errno.EBADF);
        }
        introduction.ask(socket, (InetSocketAddress) kernel.getLocalAddress(), decided);
        if (!waits) {
            introduction.decideWithin(timeoutNs);
        }
    }

    /**
     * Whether {@link #ask} was called. Any thread.
     *
     * @return whether the decision is under way, or made
     */
    public boolean isAsked() {
        return introduction.isAsked();
    }

    /**
     * Whether it is decided which way the connection goes. Any thread.
     *
     * @return whether {@link #connect} does not have to wait for the server
     */
    public boolean isDecided() {
        return introduction.isDecided();
    }

    /**
     * Waits for the decision.
     *
     * @param most the longest wait before the question is withdrawn, in nanoseconds
     * @return false if there is none, so that the connection stays on the kernel
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean await(long most) throws InterruptedException {
        FairTimeout timeout = new FairTimeout(
                System.nanoTime(), Math.min(most, timeoutNs), Math.min(most, timeoutNs * FairTimeout.BUSY_TIMES));
        do {
            if (introduction.await(timeout.untilNs() - System.nanoTime())) {
                return true;
            }
        } while (timeout.goesOn());
        introduction.withdraw();
        if (introduction.await(Introduction.LAST_WAIT_NS)) {
            return true;
        }
        introduction.awaitUnread();
        return false;
    }

    /**
     * Connects by rings.
     *
     * @param hurried whether the thread serves other connections too
     * @param sizes the sizes that the program asked for
     * @return the connection, which the caller closes
     * @throws KernelFallbackException why the connection stays on the kernel
     * @throws SocketException if it is not known whether the other end moves to rings, because the driver died
     */
    public RingConnection connect(boolean hurried, RingSizes sizes) throws KernelFallbackException, SocketException {
        if (introduction.deviceNumber() != 0) {
            return connectByDevice(sizes);
        }
        try {
            InetSocketAddress from = (InetSocketAddress) kernel.getLocalAddress();
            RingConnection rings = new PeerConnection(introduction.connect(from, destination.to(), hurried));
            destination.inside();
            return rings;
        } catch (PeerRefusal e) {
            KernelFallbackException why = stays(e);
            if (!Thread.currentThread().isInterrupted()) {
                // An interrupt ends the wait for the link, and says nothing about the destination.
                destination.outside(why);
            }
            throw why;
        } catch (IOException e) {
            introduction.abandon();
            throw new KernelFallbackException(KernelReason.HANDSHAKE_FAILED, e.getMessage());
        }
    }

    private KernelFallbackException stays(PeerRefusal e) {
        if (e.reason() == PeerRefusal.Reason.NO_RENDEZVOUS) {
            return destination.hasNoOtherEnd(e.getMessage());
        }
        if (e.reason() == PeerRefusal.Reason.HANDSHAKE_FAILED && introduction.isDriverGone()) {
            return new KernelFallbackException(KernelReason.DRIVER_GONE, e.getMessage());
        }
        return PeerMeeting.stays(e);
    }

    private RingConnection connectByDevice(RingSizes sizes) throws KernelFallbackException, SocketException {
        boolean done = false;
        try {
            RingConnection rings = device.connect(introduction.deviceNumber(), destination.to(), sizes);
            destination.inside();
            done = true;
            return rings;
        } finally {
            if (!done) {
                introduction.withdraw();
            }
        }
    }

    /**
     * Fails if the driver died, or stands still, at a moment that leaves the kernel's connection useless.
     *
     * @throws IOException "Connection reset"
     */
    public void requireUsable() throws IOException {
        if (introduction.isAsked()
                && (!introduction.isUnread() || (introduction.isDriverGone() && KernelSocket.isUseless(kernel)))) {
            throw new SocketException("Connection reset");
        }
    }

    /** Gives the meeting up: the channel is being closed, or did not connect. Any thread. */
    public void withdraw() {
        introduction.abandon();
    }
}
