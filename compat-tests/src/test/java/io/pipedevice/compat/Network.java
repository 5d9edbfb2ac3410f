// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

/** Where the programs of a test run, and by which addresses they reach each other. */
interface Network {
    /** All programs run where the test runs, and use the loopback address. */
    Network LOOPBACK = new Network() {
        @Override
        public String address(int member) {
            return "127.0.0.1";
        }

        @Override
        public JavaCommand at(int member, JavaCommand command) {
            return command;
        }
    };

    /** The address of a member, the first of which is 0. */
    String address(int member);

    /** The same command, to be started as that member. */
    JavaCommand at(int member, JavaCommand command);
}
