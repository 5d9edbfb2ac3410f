// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

class PeerInPlaceWaitTest extends InPlaceWaitContract {
    PeerInPlaceWaitTest() {
        super(Placement.PEER);
    }
}
