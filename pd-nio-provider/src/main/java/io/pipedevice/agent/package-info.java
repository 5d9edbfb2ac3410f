// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The command line, and the entry point of the agent. */
package io.pipedevice.agent;
