// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * System properties that users set: their names, sizes and durations, and the refusal of a value that is not allowed.
 */
package io.pipedevice.property;
