// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The network benchmark: the same programs on PipeDevice, on kernel TCP, and on other transports. */
package io.pipedevice.bench.net;
