// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Parts of the data path by themselves, measured with JMH. */
package io.pipedevice.bench.jmh;
