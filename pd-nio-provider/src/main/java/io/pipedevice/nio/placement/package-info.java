// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The origin of a connection's rings: the two processes that it joins, or a driver.
 *
 * <p>A {@link io.pipedevice.nio.placement.Placement} finds the listeners of clients and publishes those of servers.
 * Both get a {@link io.pipedevice.nio.placement.RingConnection}. Of the other packages of the provider this one uses
 * only the statistics.
 */
package io.pipedevice.nio.placement;
