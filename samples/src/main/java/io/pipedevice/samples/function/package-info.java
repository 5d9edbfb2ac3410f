// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** What the samples of active functions share: object files of clang, and calls within a process. */
package io.pipedevice.samples.function;
