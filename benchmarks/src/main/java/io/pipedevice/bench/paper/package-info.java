// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The evaluation of the papers, measured here: for each figure and table of the papers the rows that answer it, with
 * the programs and rows of {@link io.pipedevice.bench.net} and the namespaces of {@link
 * io.pipedevice.bench.containers}.
 */
package io.pipedevice.bench.paper;
