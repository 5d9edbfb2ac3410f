// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

/** A connection between two processes that read each other's memory. */
public final class PeerSocket {
    private PeerSocket() {}
}
