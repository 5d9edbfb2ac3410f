// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The programs of the network benchmark. They have no reference to PipeDevice: the same classes run on every transport.
 */
package io.pipedevice.bench.program;
