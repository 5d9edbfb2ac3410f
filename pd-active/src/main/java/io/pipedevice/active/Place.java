// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

/** Where a call of a function runs. */
public enum Place {
    /** In the process that calls: its thread runs the function, and operates on the regions through the driver. */
    CLIENT,

    /** On the driver's thread. */
    DEVICE,

    /** In the process of the function's owner, if it has a {@link FunctionServer}. */
    HOST,

    /** Where calls wait least, as far as it is possible there. A call that has begun may be moved. */
    AUTO
}
