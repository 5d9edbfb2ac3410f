// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Stress tests of asynchronous channels. */
package io.pipedevice.nio.async;
