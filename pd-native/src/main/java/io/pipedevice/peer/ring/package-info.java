// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The rings of a link: those from which this process sends, those of the peer that it has mapped, and the budget that
 * bounds the mappings that a peer can cause.
 */
package io.pipedevice.peer.ring;
