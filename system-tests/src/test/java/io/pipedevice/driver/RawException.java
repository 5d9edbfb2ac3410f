// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Errno;
import java.io.IOException;

/** The driver refused a request, or reported an error of a connection. */
final class RawException extends IOException {
    private static final long serialVersionUID = 1;

    final int errno;

    RawException(int errno, String text) {
        super(Errno.name(errno) + ": " + text);
        this.errno = errno;
    }
}
