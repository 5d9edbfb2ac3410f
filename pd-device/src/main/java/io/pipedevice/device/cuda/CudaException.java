// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import java.io.IOException;

/** A call of CUDA's driver API failed. */
final class CudaException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int code;

    CudaException(String function, int code, String description) {
        super(function + ": " + description);
        this.code = code;
    }

    /** The {@code CUresult}. */
    int code() {
        return code;
    }
}
