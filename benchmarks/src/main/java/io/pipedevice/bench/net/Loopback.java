// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;

/** The loopback of this process's network namespace. */
final class Loopback implements Site {
    @Override
    public List<String> atServer() {
        return List.of();
    }

    @Override
    public List<String> atClient() {
        return List.of();
    }

    @Override
    public String host() {
        return "127.0.0.1";
    }

    @Override
    public String clientHost() {
        return host();
    }

    @Override
    public String hosts() {
        return "127.1.0.0/16";
    }

    @Override
    public void check() {
        // The kernel has no other way for loopback.
    }

    @Override
    public void close() {
        // Nothing was made.
    }
}
