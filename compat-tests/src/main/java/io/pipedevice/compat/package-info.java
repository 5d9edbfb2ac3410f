// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Checks that need more than one module: unmodified programs and libraries, and concurrency stress. */
package io.pipedevice.compat;
