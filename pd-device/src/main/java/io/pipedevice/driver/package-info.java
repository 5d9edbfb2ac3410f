// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** PD Driver: owner of connections, receive memory and policy; embedded in a process, or a process of its own (§3.4). */
package io.pipedevice.driver;
