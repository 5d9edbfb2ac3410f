// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.Arrays;

/**
 * A place in a function, in some iterations of the loops around it. Nodes have the order in which a program reaches
 * them.
 */
final class Node implements Comparable<Node> {
    /** For each loop from the outermost: the order of its head and the iteration; then the order of the instruction. */
    private final int[] path;

    Node(int[] path) {
        this.path = path;
    }

    /** The order of the instruction. */
    int order() {
        return path[path.length - 1];
    }

    @Override
    public int compareTo(Node other) {
        return Arrays.compare(path, other.path);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Node node && Arrays.equals(path, node.path);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(path);
    }
}
