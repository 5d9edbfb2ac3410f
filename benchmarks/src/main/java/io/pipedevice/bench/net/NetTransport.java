// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What carries the messages of the programs, and where the programs run. Immutable. */
public interface NetTransport {
    /**
     * The name on the command line, in upper case.
     *
     * @return the name
     */
    String name();

    /**
     * The name in reports.
     *
     * @return the name
     */
    String title();

    /**
     * The name in the programs of the library that they use.
     *
     * @return the name
     */
    String stack();

    /**
     * The colour in plots; colour-blind people can distinguish the colours.
     *
     * @return as in CSS
     */
    String colour();

    /**
     * Whether its connections must be accelerated.
     *
     * @return true for PipeDevice
     */
    boolean isOnPipeDevice();

    /**
     * The flags that its library needs to use all its features and to print no warnings.
     *
     * @return flags for the JVMs of the programs
     */
    List<String> flags();

    /**
     * The flags of its driver.
     *
     * @param options of the benchmark
     * @return flags for the driver's JVM; empty if the programs have no driver
     */
    Optional<List<String>> driverFlags(NetOptions options);

    /**
     * Whether it has a row.
     *
     * @param row to measure
     * @return whether the row makes sense for it
     */
    boolean runs(Row row);

    /**
     * Makes the place of a server and its clients.
     *
     * @param scratch an empty directory for its files
     * @return the place, for the caller to close after the last of these processes has ended
     * @throws IOException if that fails
     * @throws InterruptedException if this thread is interrupted
     * @throws UnavailableException if this machine cannot have such a place
     */
    Site site(Path scratch) throws IOException, InterruptedException, UnavailableException;
}
