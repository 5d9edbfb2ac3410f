// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

/**
 * The port of a listener that a test and its processes agree on beforehand. Each test has its own, because several JVMs
 * run tests at a time. Only root may listen at these ports, so the kernel gives them to no other program.
 */
enum FixedPort {
    DEATH_OF_CHILD,
    DEATH_OF_OTHER,
    FLOOD,
    FORGED_ADDRESS,
    HOSTILE,
    HOSTILE_SERVER,
    KILL_MATRIX,
    LOG_BOUND,
    NO_DESCRIPTORS,
    OTHER_USER,
    PEER_HOLES,
    PEER_MEMORY,
    SLOW_CLOSE;

    int number() {
        return ordinal() + 1;
    }
}
