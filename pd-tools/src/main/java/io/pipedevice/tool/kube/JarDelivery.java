// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

/** How the jar of an image gets into the containers of a pod. */
enum JarDelivery {
    /** An init container copies it into a volume of the pod. */
    INIT_CONTAINER,

    /** The image is a volume of the pod. */
    IMAGE_VOLUME
}
