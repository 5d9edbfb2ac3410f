// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

/** Thrown when a file is no policy. The message begins with the file and, where there is one, the line. */
public final class PolicyException extends Exception {
    private static final long serialVersionUID = 1;

    PolicyException(String file, int line, String problem) {
        super(file + ":" + line + ": " + problem);
    }

    PolicyException(String file, String problem, Throwable cause) {
        super(file + ": " + problem, cause);
    }
}
