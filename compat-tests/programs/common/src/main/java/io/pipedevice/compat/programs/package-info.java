// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Ordinary programs without any reference to PipeDevice. Each runs in a JVM of its own. A server prints where it
 * listens, a client prints one line per check, and both end when their standard input ends.
 */
package io.pipedevice.compat.programs;
