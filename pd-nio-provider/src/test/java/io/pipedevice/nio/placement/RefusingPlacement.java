// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.nio.stat.KernelReason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/** Reaches every address, and connects to none. */
public abstract class RefusingPlacement implements Placement {
    /** Creates it. */
    protected RefusingPlacement() {}

    /**
     * Why the connection stays on the kernel. Called by the connecting thread.
     *
     * @return the reason
     */
    protected abstract KernelReason refusal();

    @Override
    public void warmUp() {
        throw new AssertionError("nothing listens");
    }

    @Override
    public RingListener listen(
            ServerSocketChannel kernel, InetSocketAddress address, int backlog, int receiveSize, Runnable changed) {
        throw new AssertionError("nothing listens");
    }

    @Override
    public boolean reaches(InetAddress address) {
        return true;
    }

    @Override
    public RingMeeting meet(InetSocketAddress to, int timeoutMillis) throws KernelFallbackException {
        throw new KernelFallbackException(refusal(), "refused by the test");
    }
}
