// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Programs to read and to run. */
package io.pipedevice.samples;
