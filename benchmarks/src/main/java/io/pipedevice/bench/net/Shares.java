// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

/**
 * The bytes of several connections at one time.
 *
 * @param nanos of the clock of the process that counts
 * @param bytes of each connection so far
 */
@SuppressWarnings("ArrayRecordComponent") // nothing compares them
record Shares(long nanos, long[] bytes) {}
