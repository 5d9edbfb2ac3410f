// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

/**
 * A connection that a client has announced to a server: it has a slot of the link, which nothing uses yet.
 *
 * @param port of the kernel's connection
 * @param slot reserved for it
 * @param generation of the slot
 */
public record Announcement(int port, int slot, int generation) {}
