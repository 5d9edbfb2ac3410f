// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The agent: makes PipeDevice the provider of a JVM, and patches the classes of the JDK that name no provider. */
package io.pipedevice.agent;
