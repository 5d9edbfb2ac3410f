// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The benchmark of devices by themselves, without a driver and without sockets. */
package io.pipedevice.bench.device;
