// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.tree;

import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.samples.function.FunctionFile;

/** The functions of a B+tree. */
public enum TreeFunction {
    /** Looks a key up, and reads a node at a time: {@link #FOUND} or {@link #ABSENT}. */
    GET("tree.get", "tree_get"),

    /** Looks a key up, and reads the words of a node that the binary search needs. */
    GET_WORDS("tree.get-words", "tree_get_words"),

    /** Copies the pairs from a key on; the result is their number. */
    SCAN("tree.scan", "tree_scan");

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

    private final String label;
    private final String symbol;

    TreeFunction(String label, String symbol) {
        this.label = label;
        this.symbol = symbol;
    }

    /**
     * The name with which it is registered.
     *
     * @return for example tree.get
     */
    public String label() {
        return label;
    }

    /**
     * The name in C.
     *
     * @return for example tree_get
     */
    public String symbol() {
        return symbol;
    }

    /**
     * The object file with all the functions.
     *
     * @return as clang has made it of tree.c
     */
    public static byte[] objectFile() {
        return FunctionFile.bytes(TreeFunction.class, "tree.o");
    }

    /**
     * Verifies and compiles the function, for calls within this process.
     *
     * @param messageLength the bytes of a message
     * @return the function
     */
    public MessageFunction compile(int messageLength) {
        return FunctionFile.compile(objectFile(), symbol, messageLength, REGIONS, FUEL);
    }
}
