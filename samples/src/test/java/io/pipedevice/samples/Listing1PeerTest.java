// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

class Listing1PeerTest extends Listing1Contract {
    Listing1PeerTest() {
        super(false);
    }
}
