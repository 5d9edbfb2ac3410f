// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import java.util.List;

/**
 * Under which conditions a program will run. A run that does not keep them makes the result of the verifier void.
 *
 * @param helpers the helpers that the program may call
 * @param parameters the content of r1, r2 and so on when it begins; it may not read the registers after them
 */
public record Conditions(Helpers helpers, List<Parameter> parameters) {
    /** Checks the parameters and copies them. */
    public Conditions {
        parameters = List.copyOf(parameters);
        if (parameters.size() > Helper.MAX_ARGUMENTS) {
            throw new IllegalArgumentException(parameters.size() + " parameters, at most 5 are possible");
        }
        for (int i = 0; i < parameters.size(); i++) {
            boolean isLength = parameters.get(i) instanceof Parameter.Length;
            if (isLength && (i == 0 || !(parameters.get(i - 1) instanceof Parameter.Memory))) {
                throw new IllegalArgumentException("a length has to follow memory");
            }
        }
    }

    /**
     * One region of memory that the program may change: its address in r1 and its length in r2.
     *
     * @param helpers the helpers that the program may call
     * @param least the bytes that it has at least
     * @param most the bytes that it has at most
     * @return the conditions
     */
    public static Conditions ofMemory(Helpers helpers, long least, long most) {
        return new Conditions(helpers, List.of(new Parameter.Memory("memory", least, most, true), Parameter.LENGTH));
    }
}
