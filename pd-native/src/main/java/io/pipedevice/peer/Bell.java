// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

/** What peers ring to wake a sleeper of this process. */
final class Bell {}
