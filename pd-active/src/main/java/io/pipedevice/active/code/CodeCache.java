// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.code;

import io.pipedevice.active.message.MessageFunction;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * The code of this process that is in use. Functions of the same program have the same code, so that it is verified and
 * compiled once, by us and by the JVM's compilers, however many tenants register it. Code is immutable. Thread-safe.
 */
final class CodeCache {
    /**
     * The input of a compilation.
     *
     * @param program SHA-256 of its bytes and of the symbol
     */
    record Key(String program, int messageLength, int regions, long fuel) {}

    /** Code that is there as long as a function uses it. */
    private static final class Entry extends WeakReference<MessageFunction> {
        final Key key;
        final int neededRights;

        Entry(Key key, FunctionCode code, ReferenceQueue<MessageFunction> unused) {
            super(code.function(), unused);
            this.key = key;
            this.neededRights = code.neededRights();
        }
    }

    private final Map<Key, Entry> entries = new HashMap<>();
    private final ReferenceQueue<MessageFunction> unused = new ReferenceQueue<>();

    /** The key of the code of a program. */
    static Key key(byte[] bytes, String symbol, int messageLength, int regions, long fuel) {
        return new Key(digest(bytes, symbol), messageLength, regions, fuel);
    }

    /** The code that is in use; null if there is none. */
    synchronized FunctionCode find(Key key) {
        Entry entry = entries.get(key);
        MessageFunction function = entry == null ? null : entry.get();
        return function == null ? null : new FunctionCode(function, entry.neededRights);
    }

    /** Adds code that was made, unless another thread was faster; returns the code that is in use from now on. */
    synchronized FunctionCode add(Key key, FunctionCode code) {
        FunctionCode there = find(key);
        if (there != null) {
            return there;
        }
        for (Object each = unused.poll(); each != null; each = unused.poll()) {
            Entry gone = (Entry) each;
            entries.remove(gone.key, gone);
        }
        entries.put(key, new Entry(key, code, unused));
        return code;
    }

    /** The number of programs whose code is in use, or was not long ago. */
    synchronized int size() {
        return entries.size();
    }

    private static String digest(byte[] bytes, String symbol) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes);
            byte[] name = symbol.getBytes(StandardCharsets.UTF_8);
            // With its length, because a program may end as another one's symbol.
            return name.length + ":" + HexFormat.of().formatHex(digest.digest(name));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JDK has SHA-256", e);
        }
    }
}
