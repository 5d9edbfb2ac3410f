// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The accounts of each container's use of a driver, over the lives of its processes and of the driver. */
package io.pipedevice.driver.account;
