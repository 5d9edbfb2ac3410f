// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Programs on plain java.nio, without any reference to PipeDevice; {@code ./pipedevice demo} runs the server and the
 * client.
 */
package io.pipedevice.samples.nio;
