// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Linux system calls through Panama FFM, and nothing about PipeDevice. */
package io.pipedevice.linux;
