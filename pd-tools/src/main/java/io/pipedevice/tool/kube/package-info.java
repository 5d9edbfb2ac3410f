// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Adds PipeDevice to the pod templates of Kubernetes' manifests, and takes it out of them. */
package io.pipedevice.tool.kube;
