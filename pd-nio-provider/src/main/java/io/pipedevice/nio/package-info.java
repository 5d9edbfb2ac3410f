// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The java.nio provider, which the JDK finds by its name: channels that use rings where they can, and kernel TCP where
 * they cannot, and selectors for both.
 *
 * <p>Its parts are packages of their own. Each of them uses only those after it: {@code start} decides whether
 * PipeDevice works here; {@code channel} has the channels; {@code select} the selector; {@code transport} moves the
 * bytes; {@code placement} connects rings; {@code stat} counts. The selector and the transports do not use each other.
 */
package io.pipedevice.nio;
