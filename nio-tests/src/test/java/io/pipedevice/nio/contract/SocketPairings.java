// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The pairings of {@link Pairings}, with sockets of java.net at both ends, or at one end and a channel at the other.
 */
final class SocketPairings implements ArgumentsProvider {
    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        return Pairings.chosen().flatMap(pairing -> ends(pairing).map(ends -> Arguments.of(pairing, ends)));
    }

    private static Stream<SocketEnds> ends(Pairing pairing) {
        return switch (pairing) {
            case PIPEDEVICE -> Stream.of(SocketEnds.values());
            // The kinds of ends share most of their code, which the pairing above tests.
            case JDK_JDK -> Stream.of(SocketEnds.CLIENT, SocketEnds.ACCEPTED_FROM_CHANNEL);
            case PIPEDEVICE_DIRECT -> Stream.of(SocketEnds.ACCEPTED, SocketEnds.CLIENT_OF_CHANNEL);
            case PIPEDEVICE_DRIVER -> Stream.of(SocketEnds.CLIENT, SocketEnds.ACCEPTED);
            case PIPEDEVICE_CLIENT_ONLY -> Stream.of(SocketEnds.CLIENT);
            case PIPEDEVICE_RULE -> Stream.of(SocketEnds.CLIENT_OF_CHANNEL);
            case PIPEDEVICE_INTRODUCED, PIPEDEVICE_SERVER_ONLY -> Stream.of(SocketEnds.ACCEPTED);
        };
    }
}
