// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

/** Escapes text for HTML and SVG. */
public final class Html {
    private Html() {}

    /**
     * Escapes a text.
     *
     * @param text any
     * @return the same for a page, also within quotation marks
     */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
