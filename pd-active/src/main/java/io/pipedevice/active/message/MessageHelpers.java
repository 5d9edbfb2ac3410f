// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helper.Argument;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.operation.OperationCode;
import java.util.Collections;
import java.util.List;

/** The helpers of active functions, with the numbers of pd_active.h. They use the {@link RunOperations} of the run. */
final class MessageHelpers {
    private static final int YIELD_ID = 8;

    /** All of them. */
    static final Helpers ALL = new Helpers(List.of(
            new Helper(
                    1,
                    "pd_read",
                    List.of(Argument.NUMBER, Argument.NUMBER, Argument.WRITABLE, Argument.LENGTH),
                    Helper.Result.NUMBER,
                    (memory, region, offset, to, length, none) ->
                            of(memory).copy(OperationCode.READ, region, offset, memory, to, length),
                    true),
            new Helper(
                    2,
                    "pd_write",
                    List.of(Argument.NUMBER, Argument.NUMBER, Argument.READABLE, Argument.LENGTH),
                    Helper.Result.NUMBER,
                    (memory, region, offset, from, length, none) ->
                            of(memory).copy(OperationCode.WRITE, region, offset, memory, from, length),
                    true),
            ofWords(3, "pd_get", OperationCode.GET, 2),
            ofWords(4, "pd_put", OperationCode.PUT, 3),
            ofWords(5, "pd_compare_and_swap", OperationCode.COMPARE_AND_SWAP, 4),
            ofWords(6, "pd_fetch_and_add", OperationCode.FETCH_AND_ADD, 3),
            new Helper(
                    7,
                    "pd_size",
                    List.of(Argument.NUMBER),
                    Helper.Result.NUMBER,
                    (memory, region, b, c, d, e) -> of(memory).size(region)),
            new Helper(
                    YIELD_ID,
                    "pd_yield",
                    List.of(),
                    Helper.Result.NUMBER,
                    (memory, a, b, c, d, e) -> of(memory).letOthersRun(memory),
                    true)));

    private MessageHelpers() {}

    private static Helper ofWords(int id, String name, int code, int arguments) {
        return new Helper(
                id,
                name,
                Collections.nCopies(arguments, Argument.NUMBER),
                Helper.Result.NUMBER,
                (memory, region, offset, operand, second, none) ->
                        of(memory).word(code, memory, region, offset, operand, second),
                true);
    }

    /** The code of the operation that a helper asks for. The numbers of the others are those of their codes. */
    static int code(int helper) {
        return helper == YIELD_ID ? RegionOperation.YIELD : helper;
    }

    private static RunOperations of(CheckedMemory memory) throws FaultException {
        return (RunOperations) memory.context();
    }
}
