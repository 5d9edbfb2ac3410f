// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The peer placement of PD Lib: two processes that map each other's memory read-only, without a driver. Programs use
 * {@link io.pipedevice.peer.PeerPlacement}; the subpackages hold its parts.
 */
package io.pipedevice.peer;
