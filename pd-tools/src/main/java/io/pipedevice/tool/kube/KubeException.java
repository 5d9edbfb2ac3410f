// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

/** Thrown when manifests cannot be changed. The message begins with the file and, where there is one, the line. */
final class KubeException extends Exception {
    private static final long serialVersionUID = 1;

    KubeException(String file, int line, String problem) {
        super(file + ":" + line + ": " + problem);
    }

    KubeException(String file, String problem) {
        super(file + ": " + problem);
    }
}
