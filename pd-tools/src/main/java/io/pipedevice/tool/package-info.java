// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The command line: starts drivers, and shows what drivers and programs do. */
package io.pipedevice.tool;
