// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** {@code pipedevice doctor}: what of a program is accelerated, why the rest is not, and what to do about it. */
package io.pipedevice.tool.doctor;
