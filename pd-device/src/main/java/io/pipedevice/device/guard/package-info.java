// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** A device that may fail, with an emulator that executes the commands that the device did not. */
package io.pipedevice.device.guard;
