// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

/**
 * The port of a listener that a test and its processes agree on beforehand. Each test has its own, because several JVMs
 * run tests at a time. Only root may listen at these ports, so the kernel gives them to no other program.
 */
enum FixedPort {
    DEATH_OF_CHILD(1),
    DEATH_OF_OTHER(2),
    FLOOD(3),
    FORGED_ADDRESS(4),
    HOSTILE(5),
    HOSTILE_SERVER(6),
    KILL_MATRIX(7),
    LOG_BOUND(8),
    NO_DESCRIPTORS(9),
    OTHER_USER(10),
    PEER_HOLES(11),
    PEER_MEMORY(12),
    SLOW_CLOSE(13);

    private final int number;

    FixedPort(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
