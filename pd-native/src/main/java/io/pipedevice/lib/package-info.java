// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** PD Lib: the pd_* calls of the paper's Table 3 for programs that want zero copy, and its protocol with PD Driver. */
package io.pipedevice.lib;
