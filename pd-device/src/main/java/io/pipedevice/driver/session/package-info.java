// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The sessions of processes: control connections, admission, attachments, and the messages about sockets. Everything
 * belongs to the driver's thread.
 */
package io.pipedevice.driver.session;
