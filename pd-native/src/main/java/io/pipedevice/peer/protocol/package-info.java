// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * What two peers agree on: the layout of the memory that each of them writes, the words in it, the messages of their link, and
 * the names at which listeners are found. It depends on no other package of peers.
 */
package io.pipedevice.peer.protocol;
