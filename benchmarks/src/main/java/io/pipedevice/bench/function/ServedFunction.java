// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.samples.function.FunctionFile;

/**
 * A function that the owner of an application serves, on all the regions of the application.
 *
 * @param name with which it is registered
 * @param object the object file
 * @param symbol its name in C
 * @param length of its messages
 * @param regions how many it has
 * @param fuel most instructions of a call
 */
record ServedFunction(String name, byte[] object, String symbol, int length, int regions, long fuel) {
    /** Verified and compiled, for calls within the process. */
    MessageFunction compiled() {
        return FunctionFile.compile(object, symbol, length, regions, fuel);
    }
}
