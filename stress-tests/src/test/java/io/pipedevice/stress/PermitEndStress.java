// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.stress;

import io.pipedevice.protocol.PermitPageDescriptor;
import io.pipedevice.protocol.PermitWord;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A driver reads a socket if it may, and the program uses it when the permit is withdrawn and the driver does not read
 * it. The socket is a plain variable: 0, 1 while the driver reads it, 2 afterwards, 3 when the program uses it. The
 * results are: what the driver has found before it ends, what the program has found.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The driver leaves the socket alone.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "The program uses the socket after the driver.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both use the socket at a time.")
@State
public class PermitEndStress {
    private static final int SLOT = 1;
    private static final int WORDS = (int) PermitPageDescriptor.permit(SLOT + 1) / Integer.BYTES;
    private static final int REQUEST = 7;

    private final Rendezvous start = new Rendezvous();
    private final MemorySegment program = MemorySegment.ofArray(new int[WORDS]);
    private final MemorySegment driver = MemorySegment.ofArray(new int[WORDS]);
    private int socket;

    /** The question was sent. */
    public PermitEndStress() {
        PermitWord.grant(program, SLOT, REQUEST);
    }

    /** Reads the socket, if it may. */
    @Actor
    public void driver(II_Result result) {
        start.meet();
        if (PermitWord.begin(driver, program, SLOT, REQUEST)) {
            socket = 1;
            result.r1 = socket;
            socket = 2;
        }
        PermitWord.end(driver);
    }

    /** Withdraws, and waits. */
    @Actor
    public void program(II_Result result) {
        start.meet();
        PermitWord.withdraw(program, SLOT);
        while (PermitWord.isRead(driver, REQUEST)) {
            Thread.onSpinWait();
        }
        result.r2 = socket;
        socket = 3;
    }
}
