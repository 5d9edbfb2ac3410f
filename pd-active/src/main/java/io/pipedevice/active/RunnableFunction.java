// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.message.MessageFunction;
import java.util.List;

/**
 * The code and regions with which a process runs a function of another one itself. Thread safe.
 *
 * @param code verified and compiled here
 * @param regions with the rights of this process
 */
record RunnableFunction(MessageFunction code, List<RemoteRegion> regions) implements AutoCloseable {
    @Override
    public void close() {
        regions.forEach(RemoteRegion::close);
    }
}
