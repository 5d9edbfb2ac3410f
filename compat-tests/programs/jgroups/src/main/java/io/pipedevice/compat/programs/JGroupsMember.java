// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

/** A member of a cluster, which sends on request: takes its {@code port}, and the {@code members} of the cluster. */
final class JGroupsMember {
    private JGroupsMember() {}

    public static void main(String[] args) throws Exception {
        JGroupsEnd end = new JGroupsEnd(new Arguments(args));
        Console.ready();
        Console.awaitEnd();
        end.close();
        System.exit(0);
    }
}
