// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.demo;

import io.pipedevice.tool.CommandModule;

/** Adds the demo to the command line. */
public final class DemoModule implements CommandModule {
    /** Creates the module; the service loader does. */
    public DemoModule() {}

    @Override
    public Object command() {
        return new DemoCommand();
    }
}
