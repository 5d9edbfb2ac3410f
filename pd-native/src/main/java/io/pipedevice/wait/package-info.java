// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Readiness, and how threads wait for it, under both placements.
 *
 * <p>A thread that waits for one direction of one source does so in a {@link io.pipedevice.wait.BlockingWait}. It
 * sleeps on a {@link io.pipedevice.wait.ThreadBell}, or parks.
 *
 * <p>A thread that waits for many sources does so in a {@link io.pipedevice.wait.WaitSet}, which has a
 * {@link io.pipedevice.wait.WaitEntry} for each of them. Entries that were ready lately are its
 * {@link io.pipedevice.wait.ActiveEntries}, and are polled in memory. The others are armed: another thread that learns
 * of something to look at puts the entry into the {@link io.pipedevice.wait.EntryQueue}.
 *
 * <p>Before either thread sleeps, it spins for as long as its {@link io.pipedevice.wait.SpinPolicy} says. Then it arms,
 * fences, looks again, and only then sleeps.
 *
 * <p>The placements differ in how a source is armed and what wakes the thread; their subclasses implement that. Between
 * peers each direction of a source has an arm word, which threads and wait sets share: it names a bell and a cookie,
 * and a peer writes the cookie into memory if the bell's owner is awake. A driver has a third arm word for all wait
 * sets of a socket, with the directions as bits: its doorbell carries nothing, and events name the sockets.
 */
package io.pipedevice.wait;
