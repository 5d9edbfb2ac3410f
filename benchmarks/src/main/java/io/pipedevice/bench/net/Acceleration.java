// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.nio.stat.JvmStat;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Checks whether the connections of a process really use the transport that the report names. Used by one thread. */
public final class Acceleration {
    private long seen;

    /** Creates the checks of one process, none of whose connections has been checked. */
    public Acceleration() {}

    /**
     * Checks the connections since the last check.
     *
     * @param pid of the process
     * @param expected whether the connections must have been accelerated; otherwise none may be
     * @throws IOException if a connection used the wrong transport; the message gives the reason
     */
    public void check(int pid, boolean expected) throws IOException {
        long accelerated = 0;
        Map<String, Long> onKernel = new TreeMap<>();
        for (JvmStat stat : JvmStat.all()) {
            if (stat.pid() == pid) {
                accelerated += stat.client() + stat.accepted();
                onKernel.putAll(stat.onKernel());
            }
        }
        long added = accelerated - seen;
        seen = accelerated;
        judge(added, onKernel, expected);
    }

    static void judge(long accelerated, Map<String, Long> onKernel, boolean expected) throws IOException {
        if (expected && (accelerated == 0 || !onKernel.isEmpty())) {
            throw new IOException("not accelerated: " + accelerated + " connections in rings, on the kernel "
                    + (onKernel.isEmpty() ? "none that PipeDevice knows of" : onKernel));
        }
        if (!expected && accelerated != 0) {
            throw new IOException("accelerated, although PipeDevice must be off: " + accelerated + " connections");
        }
    }
}
