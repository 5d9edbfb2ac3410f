// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.wait.WaitSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The open epoll instances of one attachment, which its end closes. Thread safe. */
final class WaitSets {
    /** Under this object's monitor. */
    private final Set<WaitSet> open = new HashSet<>();

    synchronized void add(WaitSet set) {
        open.add(set);
    }

    synchronized void remove(WaitSet set) {
        open.remove(set);
    }

    void closeAll() {
        List<WaitSet> left;
        synchronized (this) {
            left = new ArrayList<>(open);
        }
        left.forEach(WaitSet::close);
    }
}
