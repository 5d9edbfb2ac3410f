// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The messages of attached processes about sockets: addresses, connections and their rings. Everything belongs to the
 * driver's thread.
 */
package io.pipedevice.driver.socket;
