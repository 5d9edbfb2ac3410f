// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/** The relations of the numbers of variables, in the zone of a state. */
final class Relations {
    private Relations() {}

    /** The largest number of a variable, by what it is related to as well. */
    static long most(State state, int variable) {
        long most = state.number(variable).smax();
        if (state.zone.isActive(variable)) {
            for (int rest = state.zone.active(); rest != 0; rest &= rest - 1) {
                int other = Integer.numberOfTrailingZeros(rest);
                long bound = state.zone.bound(variable, other);
                if (bound != Zone.NONE && state.number(other) != null) {
                    most = Math.min(most, saturated(state.number(other).smax(), bound));
                }
            }
        }
        return most;
    }

    /** The least number of a variable, by what it is related to as well. */
    static long least(State state, int variable) {
        long least = state.number(variable).smin();
        if (state.zone.isActive(variable)) {
            for (int rest = state.zone.active(); rest != 0; rest &= rest - 1) {
                int other = Integer.numberOfTrailingZeros(rest);
                long bound = state.zone.bound(other, variable);
                if (bound != Zone.NONE && state.number(other) != null) {
                    least = Math.max(least, saturated(state.number(other).smin(), -bound));
                }
            }
        }
        return least;
    }

    private static long saturated(long number, long more) {
        long sum = number + more;
        boolean overflows = ((number ^ sum) & (more ^ sum)) < 0;
        return overflows ? number < 0 ? Long.MIN_VALUE : Long.MAX_VALUE : sum;
    }

    /**
     * Improves the numbers of all variables by their relations.
     *
     * @return whether that is possible
     */
    static boolean tighten(State state) {
        for (int rest = state.zone.active(); rest != 0; rest &= rest - 1) {
            int variable = Integer.numberOfTrailingZeros(rest);
            Num number = state.number(variable);
            if (number == null) {
                continue;
            }
            Num better = number.withinSigned(least(state, variable), most(state, variable));
            if (better == null) {
                return false;
            }
            if (!better.equals(number)) {
                state.refine(variable, better);
            }
        }
        return true;
    }
}
