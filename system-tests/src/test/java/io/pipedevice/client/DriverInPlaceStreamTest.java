// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

class DriverInPlaceStreamTest extends InPlaceStreamContract {
    DriverInPlaceStreamTest() {
        super(Placement.DRIVER);
    }
}
