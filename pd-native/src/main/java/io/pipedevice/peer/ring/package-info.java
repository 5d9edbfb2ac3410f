// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The rings of a link: those that this process sends from, those of the peer that it has mapped, and the budget that bounds
 * what a peer can make this process map.
 */
package io.pipedevice.peer.ring;
