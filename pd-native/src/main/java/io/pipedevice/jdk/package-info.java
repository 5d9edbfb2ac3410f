// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * What the JDKs from 21 on do differently, so that other code need not know on which it runs. The class files are those
 * of Java 21, compiled against a later JDK: a method that 21 does not have is called in this package only, or in code
 * that {@link io.pipedevice.jdk.Jdk} keeps from running there.
 */
package io.pipedevice.jdk;
