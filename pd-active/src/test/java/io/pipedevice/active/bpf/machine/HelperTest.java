// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.active.bpf.machine.Helper.Argument;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HelperTest {
    private static Helper of(Argument... arguments) {
        return new Helper(1, "test", List.of(arguments), Helper.Result.NUMBER, (memory, a, b, c, d, e) -> 0);
    }

    @Test
    void aLengthFollowsTheAddressOfMemory() {
        assertEquals(
                4,
                of(Argument.READABLE, Argument.LENGTH, Argument.WRITABLE, Argument.LENGTH)
                        .arguments()
                        .size());
        assertThrows(IllegalArgumentException.class, () -> of(Argument.READABLE));
        assertThrows(IllegalArgumentException.class, () -> of(Argument.LENGTH));
        assertThrows(IllegalArgumentException.class, () -> of(Argument.NUMBER, Argument.LENGTH));
        assertThrows(IllegalArgumentException.class, () -> of(Argument.WRITABLE, Argument.NUMBER));
    }

    @Test
    void thereAreFiveArgumentsAtMost() {
        Argument[] six = Collections.nCopies(6, Argument.NUMBER).toArray(Argument[]::new);
        assertThrows(IllegalArgumentException.class, () -> of(six));
    }

    @Test
    void eachHelperHasANumberOfItsOwn() {
        assertThrows(IllegalStateException.class, () -> new Helpers(List.of(of(), of())));
    }
}
