// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Regions: memory of a process on which other processes operate through a driver, without the owner's processor.
 */
package io.pipedevice.active;
