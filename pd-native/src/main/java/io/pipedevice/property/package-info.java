// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Values that users write: sizes and durations, and the refusal of one that is not allowed. */
package io.pipedevice.property;
