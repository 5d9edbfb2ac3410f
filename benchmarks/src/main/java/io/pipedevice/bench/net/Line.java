// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

/**
 * A line of a report.
 *
 * @param what its name
 * @param row in which it is measured
 * @param metric the figure of the row
 */
public record Line(String what, Row row, Metric metric) {}
