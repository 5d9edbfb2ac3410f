// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.ArrayList;
import java.util.List;

/** The effect of calls of functions of the program on a state. */
final class CallEffects {
    private static final int FIRST_SAVED = 6;
    private static final int SAVED_REGISTERS = 4;

    private CallEffects() {}

    /** Begins a function: it gets r1 to r5, and r6 to r9 are saved. */
    static void enter(State state, int function) {
        int depth = state.depth();
        List<Value> saved = new ArrayList<>();
        for (int i = 0; i < SAVED_REGISTERS; i++) {
            saved.add(state.register(FIRST_SAVED + i));
            state.cells.relateCell(depth, State.SAVED + i, FIRST_SAVED + i);
            state.set(FIRST_SAVED + i, Unusable.UNSET);
        }
        state.set(0, Unusable.UNSET);
        state.setFrame(depth, state.frame(depth).withSaved(saved));
        state.pushFrame(function);
    }

    /** Ends a function: its caller gets r0, and r6 to r9 back. */
    static void leave(State state) {
        int depth = state.depth() - 1;
        if (state.register(0) instanceof Pointer pointer && pointer.isToFrame(depth + 1)) {
            state.set(0, Unusable.UNSET);
        }
        state.popFrame();
        for (int i = 1; i < FIRST_SAVED; i++) {
            state.set(i, Unusable.UNSET);
        }
        List<Value> saved = state.frame(depth).saved();
        for (int i = 0; i < SAVED_REGISTERS; i++) {
            state.set(FIRST_SAVED + i, saved.get(i));
            state.cells.relateRegister(FIRST_SAVED + i, depth, State.SAVED + i);
        }
        state.cells.release(depth, State.SAVED, State.SAVED + SAVED_REGISTERS);
        state.setFrame(depth, state.frame(depth).withSaved(List.of()));
    }
}
