// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Measurements, each in a package of its own. What they share is here: processes, namespaces, facts of the machine. */
package io.pipedevice.bench;
