// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * A hash table in regions, in the manner of MICA: GET and PUT are active functions, {@code table_get.c} and {@code
 * table_put.c}.
 */
package io.pipedevice.samples.table;
