// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The selector, its keys, and the wait for rings and kernel descriptors together.
 *
 * <p>A channel of PipeDevice is a {@link io.pipedevice.nio.select.Selectable}; this package knows nothing else about
 * it. It uses none of the other packages of the provider.
 */
package io.pipedevice.nio.select;
