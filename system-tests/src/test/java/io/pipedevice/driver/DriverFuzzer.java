// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.test.Attack;
import io.pipedevice.test.FuzzProgram;
import io.pipedevice.test.StrangeFds;
import io.pipedevice.test.TcpStates;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A process that attaches to a driver, or has it introduce connections, with one error at a time. Arguments: the
 * driver's directory, the port of an honest listener, and a seed. {@link FuzzProgram} describes its input.
 */
final class DriverFuzzer {
    private DriverFuzzer() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        FuzzProgram program = new FuzzProgram(AdmissionFuzz.FIELDS, StrangeFds.open());
        AdmissionFuzz admission = new AdmissionFuzz(directory);
        program.start("admission", seed, admission::run);
        program.start("attachment", ~seed, attack -> attach(attack, directory, port));
        program.start("active", seed + 1, attack -> operate(attack, directory));
        TcpStates states = new TcpStates();
        program.start("introduction", ~seed - 1, attack -> new IntroductionFuzz(attack, directory, states).run());
        program.run();
    }

    private static void attach(Attack attack, Path directory, int port) throws IOException {
        try (RawClient client = RawClient.attach(TestDriver.endpoint(directory))) {
            new AttachmentFuzz(attack, client, port).run();
        }
    }

    private static void operate(Attack attack, Path directory) throws IOException {
        try (RawClient client = RawClient.attach(TestDriver.endpoint(directory))) {
            if (attack.honest.nextBoolean()) {
                new RegionFuzz(attack, client).run();
            } else {
                new FunctionFuzz(attack, client).run();
            }
        }
    }
}
