// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The file of a driver's policy: its text, and its changes. */
package io.pipedevice.driver.policy.file;
