// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * A link of two processes, which carries all connections between them: its two sides, their messages, and how they give
 * back resources that are not needed any more.
 */
package io.pipedevice.peer.link;
