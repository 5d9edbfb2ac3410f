// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** What a process and a driver say to each other about regions and functions: views of control messages. */
package io.pipedevice.active.protocol;
