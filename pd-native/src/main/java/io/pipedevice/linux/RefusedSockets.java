// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/**
 * Closes the sockets of refused clients, so that descriptors that a client has sent do not block the listener's thread
 * ({@link Disposal}).
 *
 * <p>If the kernel can refuse descriptors (since Linux 6.16), it does so until the listener permits them to a client. A
 * refused socket then contains no descriptors and is closed at once. On older kernels the socket is closed in an
 * account, and the listener accepts no further client while that account has no room.
 *
 * <p>Belongs to the thread that accepts.
 */
public final class RefusedSockets {
    private final Disposal disposal;
    private boolean guarded;
    private final ThreadConfinement confinement = new ThreadConfinement();

    /** The account that must have room before the next client is accepted; null for none. */
    private DescriptorCloser awaited;

    /**
     * Refuses descriptors of clients that will connect, if the kernel can.
     *
     * @param listener listens already
     * @param disposal closes what the kernel cannot refuse
     * @param guarded false to permit descriptors, as older kernels do
     * @throws LinuxException EBADF after the listener's close
     */
    public RefusedSockets(UnixSocket listener, Disposal disposal, boolean guarded) throws LinuxException {
        this.disposal = disposal;
        this.guarded = listener.passRights(!guarded) && guarded;
    }

    /**
     * Refuses descriptors of clients of another listener, which takes the place of the one before.
     *
     * @param listener listens already
     * @throws LinuxException EBADF after the listener's close
     */
    public void guard(UnixSocket listener) throws LinuxException {
        assert confinement.isHeldByCurrentThread();
        guarded = listener.passRights(!guarded) && guarded;
    }

    /**
     * Whether the kernel refuses descriptors that were not permitted.
     *
     * @return false if a client's socket may contain descriptors
     */
    public boolean isGuarded() {
        return guarded;
    }

    /**
     * Whether the next client must wait in the backlog, because its socket could not be closed soon.
     *
     * @return false if a client may be accepted
     */
    public boolean isCrowded() {
        assert confinement.isHeldByCurrentThread();
        return !guarded && (disposal.isFull() || (awaited != null && awaited.isFull()));
    }

    /**
     * Permits descriptors to a client that is not refused.
     *
     * @param client was accepted
     * @throws LinuxException EBADF after close
     */
    public void permit(UnixSocket client) throws LinuxException {
        if (guarded) {
            client.passRights(true);
        }
    }

    /**
     * Closes the socket of a client to which descriptors were not permitted.
     *
     * @param client from which nothing was received
     * @param account of the client's process or user
     */
    public void close(UnixSocket client, DescriptorCloser account) {
        assert confinement.isHeldByCurrentThread();
        if (guarded) {
            client.close();
        } else {
            account.close(client);
            awaited = account;
        }
    }
}
