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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A program withdraws the permit to read a socket, while the driver begins to read it. The results are: the driver
 * reads it, the program uses it. Both together are bytes that are lost.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The program waits for the driver.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The driver leaves the socket alone.")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "Both see the other's word; the program waits.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The driver reads a socket that the program uses.")
@State
public class PermitWordStress {
    private static final int SLOT = 1;
    private static final int WORDS = (int) PermitPageDescriptor.permit(SLOT + 1) / Integer.BYTES;
    private static final int REQUEST = 7;

    private final Rendezvous start = new Rendezvous();
    private final MemorySegment program = MemorySegment.ofArray(new int[WORDS]);
    private final MemorySegment driver = MemorySegment.ofArray(new int[WORDS]);

    /** The question was sent. */
    public PermitWordStress() {
        PermitWord.grant(program, SLOT, REQUEST);
    }

    /** Begins to read. */
    @Actor
    public void driver(ZZ_Result result) {
        start.meet();
        result.r1 = PermitWord.begin(driver, program, SLOT, REQUEST);
    }

    /** Withdraws. */
    @Actor
    public void program(ZZ_Result result) {
        start.meet();
        PermitWord.withdraw(program, SLOT);
        result.r2 = !PermitWord.isRead(driver, REQUEST);
    }
}
