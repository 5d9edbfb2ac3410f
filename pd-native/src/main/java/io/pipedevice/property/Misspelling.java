// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.property;

import java.util.Arrays;
import java.util.Locale;

/** Reports a name that has the prefix of PipeDevice's properties and is none of them. */
public final class Misspelling {
    /** Two names are similar if at most one third of their characters differ. */
    private static final int SIMILAR_PART = 3;

    private Misspelling() {}

    /**
     * Reports a name.
     *
     * @param name of no property of PipeDevice
     * @return one sentence, with the most similar name if one is similar
     */
    public static String report(String name) {
        String nearest = nearest(name);
        return name + " is no property of PipeDevice and has no effect; "
                + (nearest == null ? "docs/properties.md lists all properties" : "did you mean " + nearest + "?");
    }

    static String[] add(String[] reports, String name) {
        String[] more = reports == null ? new String[1] : Arrays.copyOf(reports, reports.length + 1);
        more[more.length - 1] = report(name);
        return more;
    }

    private static String nearest(String name) {
        String nearest = null;
        int least = (name.length() - KnownProperties.PREFIX.length()) / SIMILAR_PART + 1;
        for (String candidate : KnownProperties.names()) {
            int distance = distance(name.toLowerCase(Locale.ROOT), candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** The smallest number of characters to insert, remove or replace to turn one name into the other. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, column -> column);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
