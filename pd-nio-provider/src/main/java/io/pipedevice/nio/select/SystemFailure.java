// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import java.io.IOException;

/** Translates failures of system calls and of PD Lib to the exceptions of the JDK's channels and selectors. */
final class SystemFailure {
    private SystemFailure() {}

    /**
     * The exception that the program gets.
     *
     * @param e of any class
     * @return an {@link IOException} with the kernel's text, as the JDK throws it; {@code e} if it is not PipeDevice's
     *     own
     */
    static IOException of(IOException e) {
        if (e instanceof LinuxException system) {
            return new IOException(Errno.text(system.errno()), e);
        }
        return e instanceof PdException below ? new IOException(Errno.text(below.errno()), e) : e;
    }
}
