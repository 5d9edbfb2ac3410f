// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import java.io.IOException;

/** The failures of an accept that are reported to the program. */
final class AcceptFailure {
    private AcceptFailure() {}

    /** Throws a failure whose cause is a lack of memory or descriptors, which the program can remedy. */
    static void throwIfExhausted(PdException e) throws IOException {
        if (Errno.isExhausted(e.errno())) {
            throw new IOException(Errno.text(e.errno()), e);
        }
    }
}
