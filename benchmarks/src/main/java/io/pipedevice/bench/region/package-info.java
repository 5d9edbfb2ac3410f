// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** One-sided operations on a region of another process: latency, many queue pairs, and rate limits. */
package io.pipedevice.bench.region;
