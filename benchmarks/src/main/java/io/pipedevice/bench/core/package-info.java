// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The streams and round trips of PD Lib between two processes, by size, beside TCP on loopback. */
package io.pipedevice.bench.core;
