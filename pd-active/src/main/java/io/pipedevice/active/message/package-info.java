// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Runs active messages: functions in eBPF that operate on regions, each call of which has a message. A run can stop
 * wherever it waits for an operation or has used up its turn, and go on elsewhere. Nothing here knows where the regions
 * are.
 */
package io.pipedevice.active.message;
