// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The protocol of two peers: the layout of the memory that each of them writes, the words in it, the messages of their
 * link, and the names of listeners' sockets. It depends on no other package of the peer placement.
 */
package io.pipedevice.peer.protocol;
