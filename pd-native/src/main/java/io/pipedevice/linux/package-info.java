// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The Linux system calls that PipeDevice needs, through the foreign function interface. Nothing here is specific to
 * PipeDevice.
 */
package io.pipedevice.linux;
