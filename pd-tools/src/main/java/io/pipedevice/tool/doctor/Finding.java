// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import java.util.Locale;

/**
 * One statement of the doctor.
 *
 * @param level how bad it is
 * @param code names the kind of finding; scripts rely on it
 * @param text for people, with the remedy if there is one
 */
record Finding(Level level, String code, String text) {
    /** How bad a finding is. */
    enum Level {
        /** Everything is in order. */
        OK,
        /** Information. */
        NOTE,
        /** It keeps connections from rings, and can be changed. */
        PROBLEM
    }

    static Finding ok(String code, String text) {
        return new Finding(Level.OK, code, text);
    }

    static Finding note(String code, String text) {
        return new Finding(Level.NOTE, code, text);
    }

    static Finding problem(String code, String text) {
        return new Finding(Level.PROBLEM, code, text);
    }

    boolean isProblem() {
        return level == Level.PROBLEM;
    }

    /** One line: the level, the code, and the text. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%-7s %-20s %s", level.name().toLowerCase(Locale.ROOT), code, text);
    }
}
