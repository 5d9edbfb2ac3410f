// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** A server and a client on plain java.nio, which know nothing of PipeDevice: what {@code ./pipedevice demo} runs. */
package io.pipedevice.samples.nio;
