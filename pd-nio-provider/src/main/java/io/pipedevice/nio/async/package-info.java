// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Asynchronous channels: {@link java.nio.channels.AsynchronousSocketChannel}, {@link
 * java.nio.channels.AsynchronousServerSocketChannel} and their groups, over the non-blocking channels and selectors of
 * this provider. A group has one selector, which one of its threads polls at a time.
 */
package io.pipedevice.nio.async;
