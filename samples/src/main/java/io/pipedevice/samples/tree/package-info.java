// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * A B+tree in a region, in the manner of Cell: GET and range scan are active functions, {@code tree_get.c} and {@code
 * tree_scan.c}.
 */
package io.pipedevice.samples.tree;
