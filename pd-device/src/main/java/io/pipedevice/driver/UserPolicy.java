// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

/** Which processes may connect to each other, where no file of rules says it. */
public enum UserPolicy {
    /** Processes of the same effective user. */
    SAME_USER,

    /** All processes. */
    ANY
}
