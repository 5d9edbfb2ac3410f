// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.HashMap;
import java.util.Map;

/** The arguments of a program: words of the form {@code name=value}. */
final class Arguments {
    private final Map<String, String> values = new HashMap<>();

    Arguments(String... words) {
        for (String word : words) {
            int at = word.indexOf('=');
            if (at < 0) {
                throw new IllegalArgumentException("not of the form name=value: " + word);
            }
            values.put(word.substring(0, at), word.substring(at + 1));
        }
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("missing: " + name + "=...");
        }
        return value;
    }

    /** The address of the server: {@code host}, or the loopback address. */
    String host() {
        return values.getOrDefault("host", "127.0.0.1");
    }

    int number(String name) {
        return Integer.parseInt(text(name));
    }

    long size(String name) {
        return Long.parseLong(text(name));
    }
}
