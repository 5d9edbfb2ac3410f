// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import java.util.List;
import java.util.Set;

/**
 * A rule on connections.
 *
 * @param line of the policy's file in which it begins, from 1
 * @param from groups of the client, of which it belongs to at least one; empty for all processes
 * @param to groups of the server, likewise
 * @param same the properties that both must have in common
 * @param ruling of the connections to which the rule applies
 */
public record Rule(int line, List<Group> from, List<Group> to, Set<Sameness> same, Ruling ruling) {}
