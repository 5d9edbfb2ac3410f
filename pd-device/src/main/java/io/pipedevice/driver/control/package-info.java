// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The control connections of processes: admission, the turns in which their messages are handled, answers that come
 * later, and attachments. The classes that handle messages stand above it. Everything belongs to the driver's thread.
 */
package io.pipedevice.driver.control;
