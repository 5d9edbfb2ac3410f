// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * How threads wait for peers: doorbells, ready sets, and the sources that they announce. What differs from a driver is here;
 * the rest is in {@link io.pipedevice.wait}.
 */
package io.pipedevice.peer.wait;
