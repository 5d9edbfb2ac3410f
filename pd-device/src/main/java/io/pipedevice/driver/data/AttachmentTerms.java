// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.ProcessLimits;

/**
 * The terms on which a process is attached: which process it is, what its use is charged to, and how much it may use.
 *
 * @param cid the number of the attachment
 * @param identity of the process
 * @param use of the container to which the process belongs
 * @param limits of this attachment
 * @param counters of this attachment, closed with it
 */
public record AttachmentTerms(
        int cid, Identity identity, ContainerUse use, ProcessLimits limits, ProcessCounters counters) {}
