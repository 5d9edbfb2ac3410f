// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The protocol between a process and PD Driver: control messages, the layouts of the shared pages, and the words in
 * them with which threads sleep and wake. This package depends on neither side.
 */
package io.pipedevice.protocol;
