// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * PD Lib: the pd_* calls of the paper's Table 3 for programs that want zero copy. The types here do not know the
 * placement; {@link io.pipedevice.client} implements them on a driver, and {@link io.pipedevice.peer} between peers.
 */
package io.pipedevice.lib;
