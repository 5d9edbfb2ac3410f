// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The helpers that a program may call, by their numbers. Immutable. */
public final class Helpers {
    /** No helpers. */
    public static final Helpers NONE = new Helpers(List.of());

    private final Map<Integer, Helper> byId;

    /**
     * Collects helpers.
     *
     * @param helpers the helpers, each of which has a number of its own
     */
    public Helpers(List<Helper> helpers) {
        byId = helpers.stream().collect(Collectors.toUnmodifiableMap(Helper::id, Function.identity()));
    }

    /**
     * Finds the helper that an instruction calls.
     *
     * @param call an instruction of a program
     * @return its helper
     * @throws InvalidProgramException if there is none
     */
    public Helper calledBy(Instruction call) throws InvalidProgramException {
        Helper helper = byId.get((int) call.immediate());
        if (helper == null) {
            throw InvalidProgramException.at(call.slot(), missing(call.immediate()));
        }
        return helper;
    }

    /**
     * Calls a helper by a number that a program has computed.
     *
     * @param number any
     * @param memory the memory of the program
     * @param r1 the first argument
     * @param r2 the second argument
     * @param r3 the third argument
     * @param r4 the fourth argument
     * @param r5 the fifth argument
     * @return its result
     * @throws FaultException if there is no helper with that number, or the program has to end
     */
    public long call(long number, CheckedMemory memory, long r1, long r2, long r3, long r4, long r5)
            throws FaultException {
        Helper helper = find(number);
        if (helper == null) {
            throw new FaultException(missing(number));
        }
        return helper.function().call(memory, r1, r2, r3, r4, r5);
    }

    /**
     * Finds a helper by a number that a program has computed.
     *
     * @param number any
     * @return the helper; null if there is none
     */
    public Helper find(long number) {
        return number == (int) number ? byId.get((int) number) : null;
    }

    /**
     * Whether an instruction calls a helper that can make a run wait.
     *
     * @param it any instruction
     * @return false if there is no such helper
     */
    public boolean mayWait(Instruction it) {
        if (it.operation() != Operation.CALL_HELPER) {
            return false;
        }
        Helper helper = find(it.immediate());
        return helper != null && helper.mayWait();
    }

    private static String missing(long number) {
        return "there is no helper with the number " + number;
    }

    /**
     * Checks that all that a program needs is there: its helpers, and what its wide loads refer to.
     *
     * @param program a program
     * @throws InvalidProgramException if it calls a helper that there is not, or loads something that this machine has
     *     not
     */
    public void requireAllOf(Program program) throws InvalidProgramException {
        for (Instruction each : program.instructions()) {
            switch (each.operation()) {
                case CALL_HELPER -> calledBy(each);
                case CALL_BTF, LOAD_MAP, LOAD_MAP_VALUE, LOAD_VARIABLE, LOAD_CODE, LOAD_MAP_BY_INDEX ->
                    throw InvalidProgramException.at(each.slot(), "this machine has nothing for '" + each + "'");
                default -> {}
            }
        }
    }
}
