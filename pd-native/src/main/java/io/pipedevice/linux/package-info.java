// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Linux through the foreign function interface, as far as PipeDevice needs it, and nothing about PipeDevice. */
package io.pipedevice.linux;
