// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Platform;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * PD Lib: the communication and memory calls of the PipeDevice paper (§3.2, Table 3) for programs that want zero copy.
 * One object is one attachment of this process to a PD Driver.
 *
 * <p>A server and a client, as in the paper's Listing 1:
 *
 * <pre>{@code
 * try (PipeDevice device = PipeDevice.init(DriverDirectory.at(Path.of("/run/pipedevice")));
 *         PdSocket listener = device.socket()) {
 *     listener.bind(new InetSocketAddress("127.0.0.1", 4711));
 *     listener.listen(16);
 *     try (PdSocket socket = listener.accept(PipeDevice.FOREVER)) {
 *         PdBuffer received = new PdBuffer();
 *         int length = socket.recv(4096, received, PipeDevice.FOREVER);   // bytes in place, at most 4096
 *         // ... received.memory() from received.offset() on ...
 *         socket.recvDone(length);                                        // gives the space back
 *     }
 * }
 *
 * try (PipeDevice device = PipeDevice.init(DriverDirectory.at(Path.of("/run/pipedevice")));
 *         PdSocket socket = device.socket()) {
 *     socket.connect(new InetSocketAddress("127.0.0.1", 4711));
 *     PdBuffer buffer = new PdBuffer();
 *     socket.malloc(4096, buffer, PipeDevice.FOREVER);                    // a block in the send ring
 *     // ... write into buffer.memory() from buffer.offset() on ...
 *     socket.send(buffer, 4096, PipeDevice.FOREVER);                      // posts it, copies nothing
 *     socket.free(buffer);                                                // reclaimed when it has been sent
 * }
 * }</pre>
 *
 * <table>
 * <caption>The calls of Table 3</caption>
 * <tr><th>Paper</th><th>Here</th></tr>
 * <tr><td>pd_init</td><td>{@link #init(DriverEndpoint, PdOptions)}</td></tr>
 * <tr><td>pd_release</td><td>{@link #close}</td></tr>
 * <tr><td>pd_socket</td><td>{@link #socket}</td></tr>
 * <tr><td>pd_bind</td><td>{@link PdSocket#bind}</td></tr>
 * <tr><td>pd_listen</td><td>{@link PdSocket#listen}</td></tr>
 * <tr><td>pd_accept</td><td>{@link PdSocket#accept()}</td></tr>
 * <tr><td>pd_connect</td><td>{@link PdSocket#connect}</td></tr>
 * <tr><td>pd_malloc</td><td>{@link PdConnection#malloc(int, PdBuffer)}: blocks belong to a socket's ring</td></tr>
 * <tr><td>pd_send</td><td>{@link PdConnection#send(PdBuffer, int)}</td></tr>
 * <tr><td>pd_buf_refresh</td><td>{@link PdConnection#bufRefresh(PdBuffer[], int)}</td></tr>
 * <tr><td>pd_free</td><td>{@link PdConnection#free}</td></tr>
 * <tr><td>pd_recv</td><td>{@link PdConnection#recv(int, PdBuffer)}</td></tr>
 * <tr><td>pd_recv_done</td><td>{@link PdConnection#recvDone}</td></tr>
 * <tr><td>pd_close</td><td>{@link PdSocket#close}</td></tr>
 * <tr><td>pd_getsockopt, pd_setsockopt</td><td>{@link PdSocket#getOption}, {@link PdSocket#setOption}</td></tr>
 * <tr><td>pd_epoll_ctl</td><td>{@link PdEpoll#add}, {@link PdEpoll#modify}, {@link PdEpoll#remove}</td></tr>
 * <tr><td>pd_epoll_wait</td><td>{@link PdEpoll#await}</td></tr>
 * </table>
 *
 * <p>As in the paper, the basic form of a call does not block. A second form takes a timeout in nanoseconds: 0 returns
 * at once, {@link #FOREVER} waits without limit. After the timeout it returns the result that the basic form returns
 * when there is nothing. A virtual thread that waits for a socket parks and releases its carrier; one in
 * {@link PdEpoll#await} keeps it. Close ends a wait early; {@link Thread#interrupt} does not.
 *
 * <p>A call throws {@link PdException} for failures of the peer, the driver or the system, and
 * {@link IllegalStateException} or {@link IllegalArgumentException} for misuse; the message then names the broken rule.
 * When the driver is gone, data that arrived before can still be received, and everything else fails with errno ENODEV.
 *
 * <p>Thread safe. The program closes the attachment, which closes all its sockets and epoll instances.
 */
public interface PipeDevice extends PdNetwork {
    /** A timeout without end. */
    long FOREVER = Long.MAX_VALUE;

    /**
     * Attaches this process to a driver, with the options of the system properties: pd_init.
     *
     * @param endpoint where the driver is, such as {@link io.pipedevice.client.DriverDirectory#at}
     * @return the attachment, for the caller to close
     * @throws PdException if there is no driver, it refuses, it is of another version, or memory or descriptors are
     *     exhausted
     */
    static PipeDevice init(DriverEndpoint endpoint) throws PdException {
        return init(endpoint, new PdOptions());
    }

    /**
     * Attaches this process to a driver: pd_init.
     *
     * @param endpoint where the driver is, such as {@link io.pipedevice.client.DriverDirectory#at}
     * @param options sizes and limits
     * @return the attachment, for the caller to close
     * @throws PdException if there is no driver, it refuses, it is of another version, or memory or descriptors are
     *     exhausted
     */
    static PipeDevice init(DriverEndpoint endpoint, PdOptions options) throws PdException {
        Objects.requireNonNull(options);
        if (!Platform.supported()) {
            throw PdException.saying(Errno.ENOSYS, Platform.whyNot());
        }
        return endpoint.attach(options);
    }

    /**
     * Opens a socket: pd_socket.
     *
     * @return the socket, for the caller to close
     * @throws PdException ENOBUFS if this process has its maximum of sockets, ENODEV if the driver is gone
     */
    PdSocket socket() throws PdException;

    @Override
    PdSocket listen(InetSocketAddress local, int backlog) throws PdException;

    @Override
    PdSocket connect(InetSocketAddress peer, int ringSize) throws PdException;

    /**
     * Opens an epoll instance.
     *
     * @return the instance, for the caller to close
     * @throws PdException if descriptors are exhausted, ENODEV if the driver is gone
     */
    PdEpoll epoll() throws PdException;

    /**
     * Whether the driver serves this process. Once the driver has stopped serving it, for any reason, every later call
     * fails.
     *
     * @return false if another attachment is needed
     */
    boolean isServed();

    /**
     * The number by which the driver knows this process: the cid of Figure 6.
     *
     * @return 0 to 65535
     */
    int containerId();

    /**
     * Detaches this process: pd_release. Closes all sockets, as {@link PdSocket#close} does: posted data are still
     * delivered. Threads that are blocked in a call get an exception. A second call does nothing.
     */
    @Override
    void close();

    /**
     * Checks a timeout. Every call of PD Lib with a timeout does this.
     *
     * @param timeoutNanos at least 0, or {@link #FOREVER}
     * @throws IllegalArgumentException if it is negative
     */
    static void checkTimeout(long timeoutNanos) {
        if (timeoutNanos < 0) {
            throw new IllegalArgumentException("timeout " + timeoutNanos + " ns; PipeDevice.FOREVER waits for ever");
        }
    }
}
