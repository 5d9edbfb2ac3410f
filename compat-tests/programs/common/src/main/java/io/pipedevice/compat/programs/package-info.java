// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Programs as anybody would write them, which know nothing of PipeDevice. Each runs in a JVM of its own; a server prints
 * where it listens, a client prints one line per check, and both end when their standard input does.
 */
package io.pipedevice.compat.programs;
