// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Kernel connections that move to rings: a driver finds out which two processes have the ends of one, and
 * introduces them to each other. After that the two are peers, and the driver may end.
 */
package io.pipedevice.broker;
