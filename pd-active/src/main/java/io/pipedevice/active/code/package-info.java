// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The code of registered functions, as a driver and the processes that run them make it from a program. */
package io.pipedevice.active.code;
