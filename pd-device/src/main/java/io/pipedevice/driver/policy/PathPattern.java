// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import java.util.regex.Pattern;

/**
 * A pattern of the paths of control groups: {@code *} stands for any characters of one name, {@code ?} for one, and
 * {@code **} for any characters. A pattern that ends in {@code /**} also matches the group itself.
 */
final class PathPattern {
    private static final String BELOW = "/**";

    private final String text;
    private final Pattern pattern;

    PathPattern(String text) {
        this.text = text;
        boolean isBelow = text.endsWith(BELOW);
        String body = isBelow ? text.substring(0, text.length() - BELOW.length()) : text;
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < body.length(); i++) {
            char each = body.charAt(i);
            if (each == '*' && i + 1 < body.length() && body.charAt(i + 1) == '*') {
                regex.append(".*");
                i++;
            } else if (each == '*') {
                regex.append("[^/]*");
            } else if (each == '?') {
                regex.append("[^/]");
            } else {
                regex.append(Pattern.quote(String.valueOf(each)));
            }
        }
        pattern = Pattern.compile(regex.append(isBelow ? "(?:/.*)?" : "").toString(), Pattern.DOTALL);
    }

    boolean matches(String path) {
        return pattern.matcher(path).matches();
    }

    @Override
    public String toString() {
        return text;
    }
}
