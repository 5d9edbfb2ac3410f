// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * A server and a client on plain java.nio, without any reference to PipeDevice; {@code ./pipedevice demo} runs them.
 */
package io.pipedevice.samples.nio;
