// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * How processes find each other: networks and listeners, the handshake that makes a link, and the policy that decides
 * which processes are accepted.
 */
package io.pipedevice.peer.rendezvous;
