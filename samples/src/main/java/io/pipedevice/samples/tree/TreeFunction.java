// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.tree;

import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.samples.function.FunctionFile;

/** The functions of a B+tree. */
public enum TreeFunction {
    /** Looks a key up, and reads a node at a time: {@link #FOUND} or {@link #ABSENT}. */
    GET("get", "tree_get.o"),

    /** Looks a key up, and reads the words of a node that the binary search needs. */
    GET_WORDS("get-words", "tree_get_words.o"),

    /** Copies the pairs from a key on; the result is their number. */
    SCAN("scan", "tree_scan.o");

    /** The result of a GET: the message has the value. */
    public static final long FOUND = 0;

    /** The result of a GET: the tree has no such key. */
    public static final long ABSENT = 1;

    /** The result of a GET: the region has no tree. */
    public static final long BROKEN = 2;

    /** How many regions each has. */
    public static final int REGIONS = 1;

    /** Instructions that a call needs at most: those of a scan that fills the longest message. */
    public static final long FUEL = 1 << 20;

    private final String suffix;
    private final String file;

    TreeFunction(String suffix, String file) {
        this.suffix = suffix;
        this.file = file;
    }

    /**
     * The name with which it is registered.
     *
     * @param name of the tree
     * @return for example orders.get for the name orders
     */
    public String nameIn(String name) {
        return name + "." + suffix;
    }

    /**
     * The bytes of its messages.
     *
     * @param pairs the most of a scan
     * @return the length
     */
    public int messageLength(int pairs) {
        return this == SCAN ? TreeMessage.scanLength(pairs) : TreeMessage.GET_LENGTH;
    }

    /**
     * The object file.
     *
     * @return as clang has made it of the source beside it
     */
    public byte[] objectFile() {
        return FunctionFile.bytes(TreeFunction.class, file);
    }

    /**
     * Verifies and compiles the function, for calls within this process.
     *
     * @param messageLength the bytes of a message
     * @return the function
     */
    public MessageFunction compile(int messageLength) {
        return FunctionFile.compile(objectFile(), messageLength, REGIONS, FUEL);
    }
}
