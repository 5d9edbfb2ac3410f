// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Measurements: microbenchmarks, and whole programs compared with TCP on loopback. */
package io.pipedevice.bench;
