// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/** The six ways to select. */
enum SelectForm {
    SELECT {
        @Override
        int call(Selector selector, List<SelectionKey> ready) throws IOException {
            return taken(selector.select(), selector, ready);
        }
    },
    TIMED {
        @Override
        int call(Selector selector, List<SelectionKey> ready) throws IOException {
            return taken(selector.select(LONG), selector, ready);
        }
    },
    NOW {
        @Override
        int call(Selector selector, List<SelectionKey> ready) throws IOException {
            return taken(selector.selectNow(), selector, ready);
        }
    },
    CONSUMER {
        @Override
        int call(Selector selector, List<SelectionKey> ready) throws IOException {
            return selector.select(ready::add);
        }
    },
    TIMED_CONSUMER {
        @Override
        int call(Selector selector, List<SelectionKey> ready) throws IOException {
            return selector.select(ready::add, LONG);
        }
    },
    CONSUMER_NOW {
        @Override
        int call(Selector selector, List<SelectionKey> ready) throws IOException {
            return selector.selectNow(ready::add);
        }
    };

    /** Longer than any test may take, so that a select that returns without a reason fails the test. */
    private static final long LONG = 3_600_000;

    /** Selects once and adds the keys that were reported; the selected-key set is left empty. */
    abstract int call(Selector selector, List<SelectionKey> ready) throws IOException;

    int call(Selector selector) throws IOException {
        return call(selector, new ArrayList<>());
    }

    private static int taken(int n, Selector selector, List<SelectionKey> ready) {
        ready.addAll(selector.selectedKeys());
        selector.selectedKeys().clear();
        return n;
    }
}
