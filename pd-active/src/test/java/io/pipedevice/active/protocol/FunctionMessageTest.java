// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.protocol.ControlMessage;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class FunctionMessageTest {
    private final ControlMessage control = new ControlMessage().request(FunctionMessage.REGISTER_FUNCTION, 1);
    private final FunctionMessage message = new FunctionMessage(control);

    @Test
    void nameAndSymbolArriveAsTheyWere() {
        message.texts("table.get", "table_get");
        assertEquals("table.get", message.firstText());
        assertEquals("table_get", message.secondText());
    }

    @Test
    void aNameMayStandAlone() {
        message.texts("größe", "");
        assertEquals("größe", message.firstText());
        assertEquals("", message.secondText());
    }

    @Test
    void theLongestOnesHaveRoom() {
        String name = "n".repeat(RegionMessage.MAX_NAME);
        String symbol = "s".repeat(RegionMessage.MAX_NAME);
        message.texts(name, symbol);
        assertEquals(name, message.firstText());
        assertEquals(symbol, message.secondText());
    }

    @Test
    void aSymbolIsNotLongerThanTheText() {
        message.texts("f", "g");
        for (int length : new int[] {Integer.MIN_VALUE, -1, 3, Integer.MAX_VALUE}) {
            control.memory().set(ValueLayout.JAVA_INT, RegionMessageDescriptor.SECOND_LENGTH_OFFSET, length);
            assertEquals("fg", message.firstText() + message.secondText());
        }
    }
}
