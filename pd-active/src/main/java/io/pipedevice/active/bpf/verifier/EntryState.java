// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.ArrayList;
import java.util.List;

/** The state in which a program begins. */
final class EntryState {
    private EntryState() {}

    static State of(Conditions conditions) {
        List<Parameter> parameters = conditions.parameters();
        List<Num> lengths = new ArrayList<>();
        for (Parameter parameter : parameters) {
            lengths.add(
                    parameter instanceof Parameter.Memory memory ? Num.unsigned(memory.least(), memory.most()) : null);
        }
        State state = new State(lengths, 0);
        for (int i = 0; i < parameters.size(); i++) {
            switch (parameters.get(i)) {
                case Parameter.AnyNumber number -> state.set(i + 1, Num.UNKNOWN);
                case Parameter.Memory memory -> state.set(i + 1, Pointer.to(place(i, memory), 0));
                case Parameter.Length length -> {
                    state.set(i + 1, lengths.get(i - 1));
                    state.zone.assign(i + 1, State.FIRST_LENGTH + i - 1);
                }
            }
        }
        return state;
    }

    private static PointerTarget place(int index, Parameter.Memory memory) {
        return new PointerTarget(
                PointerTarget.Kind.PARAMETER, index, memory.name(), memory.isWritable(), memory.least());
    }
}
