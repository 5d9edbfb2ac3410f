// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * How threads wait for peers: doorbells, ready sets, and the sources that they announce. This package has the parts
 * that are specific to peers; {@link io.pipedevice.wait} has those in common with a driver.
 */
package io.pipedevice.peer.wait;
