// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

/** A member of a cluster, which sends when it is told to: takes its {@code port}, and the {@code members} that there are. */
final class JGroupsMember {
    private JGroupsMember() {}

    static void main(String[] args) throws Exception {
        JGroupsEnd end = new JGroupsEnd(new Arguments(args));
        Console.ready();
        Console.awaitEnd();
        end.close();
        System.exit(0);
    }
}
