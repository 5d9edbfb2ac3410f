// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The facts that an analysis has learnt about accesses, on all paths together. Belongs to one analysis. */
final class Facts implements Bounds.Listener {
    private final Access[] accesses;
    private final Map<Integer, Integer> stackLengths = new HashMap<>();

    Facts(int instructions) {
        accesses = new Access[instructions];
    }

    @Override
    public void accessed(State state, int index, Span span) {
        PointerTarget place = span.place();
        Access access = new Access(kind(place), number(state, place), span.least(), span.most());
        accesses[index] = accesses[index] == null ? access : accesses[index].join(access);
        if (place.kind() == PointerTarget.Kind.STACK) {
            int function = state.frame(place.index()).function();
            stackLengths.merge(function, (int) (Frame.LENGTH - span.least()), Math::max);
        }
    }

    private static Access.Kind kind(PointerTarget place) {
        return switch (place.kind()) {
            case STACK -> Access.Kind.STACK;
            case PARAMETER -> Access.Kind.PARAMETER;
            case CONSTANTS -> Access.Kind.CONSTANTS;
            case RESULT -> Access.Kind.RESULT;
        };
    }

    private static int number(State state, PointerTarget place) {
        return place.kind() == PointerTarget.Kind.STACK ? state.depth() - place.index() : place.index();
    }

    List<Optional<Access>> accesses() {
        return new ArrayList<>(Arrays.stream(accesses).map(Optional::ofNullable).toList());
    }

    /** By functions: {@link #stackLength}, where it is not 0. */
    Map<Integer, Integer> stackLengths() {
        return stackLengths;
    }

    /** The bytes at the end of its stack frame that a function and those it calls use. */
    int stackLength(int function) {
        return stackLengths.getOrDefault(function, 0);
    }
}
