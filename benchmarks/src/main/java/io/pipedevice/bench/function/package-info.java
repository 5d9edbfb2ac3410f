// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Active functions at the client, the device and the host, beside requests over kernel TCP: a hash table and a B+tree
 * under loads of YCSB, many tenants, and a place that is slowed.
 */
package io.pipedevice.bench.function;
