// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The names of containers in messages about regions and functions: short enough for a message, printable, and different
 * for different containers.
 */
public final class ContainerName {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern SHORT_TEXT = Pattern.compile("[ -~]{0,56}");
    private static final Pattern NOT_PRINTABLE = Pattern.compile("[^ -~]");
    private static final int SHOWN_DIGITS = 12;
    private static final int KEPT = 39;
    private static final int HASH_BYTES = 8;

    private ContainerName() {}

    /**
     * The name of a container.
     *
     * @param text a container ID, or the driver's text for processes without one
     * @return the text itself if it is an ID, or has at most 56 printable characters of ASCII; else the beginning of it
     *     and a hash of the whole. The name of a name is that name.
     */
    public static String of(String text) {
        if (ID.matcher(text).matches() || SHORT_TEXT.matcher(text).matches()) {
            return text;
        }
        String kept = text.substring(0, Math.min(KEPT, text.length()));
        byte[] hash = sha256(text.getBytes(StandardCharsets.UTF_8));
        return NOT_PRINTABLE.matcher(kept).replaceAll("?") + "~"
                + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /**
     * A name for a person, by which the container can be asked for, too.
     *
     * @param name of a container
     * @return the first 12 digits of an ID, as container tools show it; any other name as it is
     */
    public static String shown(String name) {
        return ID.matcher(name).matches() ? name.substring(0, SHOWN_DIGITS) : name;
    }
}
