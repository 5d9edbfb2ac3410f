// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Concurrency stress tests of what the package keeps to itself. */
package io.pipedevice.lib;
