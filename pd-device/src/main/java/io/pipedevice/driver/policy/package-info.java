// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Which processes may connect to each other, and by which path their data go. */
package io.pipedevice.driver.policy;
