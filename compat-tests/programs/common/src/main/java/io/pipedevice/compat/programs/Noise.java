// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * Bytes that never repeat, the same for the same seed, so that a lost, duplicated or misplaced byte is detected. One
 * thread.
 */
final class Noise extends InputStream {
    /** The seed of noise that repeats one block, so that a measurement does not include the generation of noise. */
    static final int REPEATED = -1;

    private final SplittableRandom random;
    private final boolean repeated;
    private final byte[] block = new byte[1 << 16];
    private int next;
    private long left;

    Noise(long seed, long length) {
        random = new SplittableRandom(seed);
        left = length;
        repeated = seed == REPEATED;
        random.nextBytes(block);
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (left == 0) {
            return -1;
        }
        if (next == block.length) {
            if (!repeated) {
                random.nextBytes(block);
            }
            next = 0;
        }
        int count = (int) Math.min(Math.min(length, left), block.length - next);
        System.arraycopy(block, next, target, offset, count);
        next += count;
        left -= count;
        return count;
    }

    @Override
    public int available() {
        return (int) Math.min(left, block.length);
    }

    /** The whole noise of a seed. */
    static byte[] bytes(long seed, int length) {
        byte[] all = new byte[length];
        Noise noise = new Noise(seed, length);
        for (int at = 0; at < length; ) {
            at += noise.read(all, at, length - at);
        }
        return all;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The digest of the noise of a seed. */
    static String digest(long seed, long length) throws IOException {
        return digest(new Noise(seed, length));
    }

    /** The digest of some bytes. */
    static String digest(byte[] bytes) {
        MessageDigest digest = sha256();
        digest.update(bytes);
        return text(digest);
    }

    /** Reads a stream to its end, and returns the digest of its content. */
    static String digest(InputStream from) throws IOException {
        MessageDigest digest = sha256();
        byte[] block = new byte[1 << 16];
        for (int count = from.read(block); count >= 0; count = from.read(block)) {
            digest.update(block, 0, count);
        }
        return text(digest);
    }

    static String text(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Checks that a stream equals the rest of this noise, even the part that arrives before the stream breaks off. */
    void check(InputStream actual) throws IOException {
        byte[] block = new byte[1 << 16];
        for (int count = actual.read(block); count >= 0; count = actual.read(block)) {
            byte[] expected = readNBytes(count);
            if (!Arrays.equals(block, 0, count, expected, 0, expected.length)) {
                throw new AssertionError("wrong within " + count + " bytes, with " + left + " to come");
            }
        }
        Checks.same(0L, left);
    }

    /** The noise for a path of the form {@code /noise/SEED/LENGTH}. */
    static Noise ofPath(String path) {
        String[] parts = path.split("/", -1);
        return new Noise(Long.parseLong(parts[2]), lengthIn(path));
    }

    static long lengthIn(String path) {
        return Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
    }

    static String path(long seed, long length) {
        return "/noise/" + seed + "/" + length;
    }
}
