// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

/** The text of manifests, by code points, as the marks of the YAML library count. */
final class YamlText {
    private final int[] points;
    private final String newline;

    YamlText(String text) {
        this.points = text.codePoints().toArray();
        this.newline = text.contains("\r\n") ? "\r\n" : "\n";
    }

    int length() {
        return points.length;
    }

    /** What ends a line that is added. */
    String newline() {
        return newline;
    }

    String slice(int from, int to) {
        return new String(points, from, to - from);
    }

    /** The beginning of the line of a place. */
    int lineStart(int place) {
        int at = place;
        while (at > 0 && points[at - 1] != '\n') {
            at--;
        }
        return at > 0 || !isAt(0, 0xFEFF) ? at : 1;
    }

    int column(int place) {
        return place - lineStart(place);
    }

    /** The beginning of the next line; the place itself if a line begins there, the end if there is no next one. */
    int nextLine(int place) {
        if (column(place) == 0) {
            return place;
        }
        int at = place;
        while (at < points.length && points[at] != '\n') {
            at++;
        }
        return Math.min(at + 1, points.length);
    }

    /** Whether a text that is added here has to begin with the end of a line. */
    boolean isInLine(int place) {
        return column(place) > 0;
    }

    /** Whether only spaces stand between the beginning of the line and a place. */
    boolean isFirstInLine(int place) {
        for (int at = lineStart(place); at < place; at++) {
            if (points[at] != ' ') {
                return false;
            }
        }
        return true;
    }

    /** Skips spaces, comments and ends of lines. */
    int skipBlank(int place) {
        int at = place;
        while (at < points.length) {
            if (isAt(at, '#')) {
                at = toLineEnd(at);
            } else if (isBlank(at)) {
                at++;
            } else {
                break;
            }
        }
        return at;
    }

    /** Skips an anchor, a tag, and what {@link #skipBlank} skips. */
    int skipProperties(int place) {
        int at = skipBlank(place);
        while (isAt(at, '&') || isAt(at, '!')) {
            while (at < points.length && !isBlank(at)) {
                at++;
            }
            at = skipBlank(at);
        }
        return at;
    }

    boolean isAt(int place, int point) {
        return place < points.length && points[place] == point;
    }

    private int toLineEnd(int place) {
        int at = place;
        while (at < points.length && points[at] != '\n') {
            at++;
        }
        return at;
    }

    private boolean isBlank(int place) {
        return switch (points[place]) {
            case ' ', '\t', '\r', '\n' -> true;
            default -> false;
        };
    }
}
