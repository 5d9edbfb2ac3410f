// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

/**
 * Works with a database of Derby by JDBC: takes the server's {@code port} and the {@code size} of a large object; with
 * {@code measure} it only measures.
 */
final class DerbyClient {
    private DerbyClient() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        try (JdbcWork work = new JdbcWork(
                DerbyServer.url(arguments.number("port")),
                arguments.number("size"),
                "VARCHAR(32000) FOR BIT DATA",
                checks)) {
            if (arguments.has("measure")) {
                checks.run("measure", work::measure);
            } else {
                work.check();
            }
        }
        checks.end();
    }
}
