// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import java.util.List;

/**
 * The limits of some containers, each of which has them for itself.
 *
 * @param line of the policy's file in which they begin, from 1
 * @param of groups, of which a container belongs to at least one; empty for all
 * @param limits of each
 */
public record LimitRule(int line, List<Group> of, Limits limits) {}
