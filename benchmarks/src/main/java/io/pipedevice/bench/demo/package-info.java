// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The demo: an unmodified server and client on kernel TCP and on PipeDevice, side by side, with every byte checked. */
package io.pipedevice.bench.demo;
