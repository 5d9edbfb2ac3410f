// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The start of PipeDevice in a JVM: the user's settings, access to the JDK's packages, and whether connections are
 * accelerated.
 *
 * <p>{@link io.pipedevice.nio.start.StartUp} decides once, and puts the other packages of the provider together. Only
 * the provider and the agent use this package.
 */
package io.pipedevice.nio.start;
