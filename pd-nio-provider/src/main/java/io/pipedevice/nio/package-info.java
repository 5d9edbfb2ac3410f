// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The java.nio provider: channels and selectors that use rings where they can, and kernel TCP where they cannot. */
package io.pipedevice.nio;
