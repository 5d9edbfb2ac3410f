// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.memory.SealedFile;
import java.util.List;

/**
 * The request of a process to register a function.
 *
 * @param name of the function
 * @param symbol which function of an object file it is; empty for the only one
 * @param version from 1
 * @param messageLength of its messages, in bytes
 * @param fuel of a call, in instructions
 * @param regions handles of regions of the process
 * @param size of the program, in bytes
 * @param program its memory object, charged to the process
 */
record Registration(
        String name,
        String symbol,
        int version,
        int messageLength,
        long fuel,
        List<Integer> regions,
        int size,
        SealedFile program) {}
