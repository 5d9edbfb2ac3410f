// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * An NVIDIA GPU as the copying device. Rings are registered with the GPU, which copies from host memory to host memory:
 * either by a kernel that runs for each lane, takes commands out of a queue in host memory and posts completions there,
 * or by its copy engines, with a stop in the GPU's own memory. Of CUDA only the driver's library is needed.
 */
package io.pipedevice.device.cuda;
