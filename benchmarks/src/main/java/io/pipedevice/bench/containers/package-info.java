// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The network benchmark between two network namespaces, as between two containers of one host: the same programs and
 * rows as in {@link io.pipedevice.bench.net}, on other transports.
 */
package io.pipedevice.bench.containers;
