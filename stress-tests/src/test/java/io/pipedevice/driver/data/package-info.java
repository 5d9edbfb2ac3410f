// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Concurrency stress tests of package-private classes. */
package io.pipedevice.driver.data;
