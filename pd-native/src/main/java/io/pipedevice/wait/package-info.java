// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Readiness, and how threads wait for it, under both placements.
 *
 * <p>A wait for many sources has a {@link io.pipedevice.wait.WaitEntry} for each of them. Entries that were ready lately are
 * in its {@link io.pipedevice.wait.ActiveEntries}, and are looked at in memory. The others are armed: what makes one ready
 * puts it into the {@link io.pipedevice.wait.EntryQueue}. How a source is armed, and what then wakes the waiting thread, is
 * the placement's: the subclasses of {@code WaitEntry} know it.
 *
 * <p>A thread that waits for one direction of one source does so in a {@link io.pipedevice.wait.BlockingWait}. It sleeps on
 * a {@link io.pipedevice.wait.ThreadBell}, or parks. Before either kind of wait sleeps, it looks for as long as its
 * {@link io.pipedevice.wait.SpinPolicy} says.
 */
package io.pipedevice.wait;
