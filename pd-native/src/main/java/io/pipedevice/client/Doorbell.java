// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.linux.UnixSocket;

/** One of this process's doorbells, which the driver rings. */
record Doorbell(int number, UnixSocket bell) {}
