// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import io.pipedevice.driver.identity.Identity;
import java.util.Objects;
import java.util.function.Function;

/** A property that two processes may have in common. */
public enum Sameness {
    /** The effective user, one that the kernel can tell from others. */
    USER {
        @Override
        boolean isSame(Identity one, Identity other) {
            return one.isSameUser(other);
        }
    },
    /** The Kubernetes pod. */
    POD {
        @Override
        boolean isSame(Identity one, Identity other) {
            return hasSame(one, other, process -> process.controlGroup().podUid());
        }
    },
    /** The container. */
    CONTAINER {
        @Override
        boolean isSame(Identity one, Identity other) {
            return hasSame(one, other, process -> process.controlGroup().containerId());
        }
    },
    /** The network namespace. */
    NETWORK_NAMESPACE {
        @Override
        boolean isSame(Identity one, Identity other) {
            return one.networkNamespace() == other.networkNamespace();
        }
    };

    abstract boolean isSame(Identity one, Identity other);

    private static boolean hasSame(Identity one, Identity other, Function<Identity, String> part) {
        String value = part.apply(one);
        return value != null && Objects.equals(value, part.apply(other));
    }
}
