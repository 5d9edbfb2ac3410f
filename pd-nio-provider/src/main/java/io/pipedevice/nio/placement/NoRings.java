// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdSource;
import io.pipedevice.nio.stat.KernelReason;
import java.net.InetSocketAddress;

/**
 * The listener of a server whose clients all come through the kernel, because the kernel distributes them among several
 * servers. It never has a connection. Thread safe.
 */
public final class NoRings implements RingListener {
    /** Creates one, which holds nothing. */
    public NoRings() {}

    @Override
    public void publish(InetSocketAddress address) {}

    @Override
    public PdSource source() {
        return null;
    }

    @Override
    public RingConnection accept() {
        return null;
    }

    @Override
    public void refresh() {}

    @Override
    public KernelReason whyKernel() {
        return KernelReason.SHARED_PORT;
    }

    @Override
    public void withdraw() {}

    @Override
    public void close() {}
}
