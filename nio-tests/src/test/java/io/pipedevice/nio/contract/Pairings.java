// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * All pairings but that of {@link UnixRuleContractTest}, or those that the property {@code pipedevice.test.pairings}
 * names, separated by commas.
 */
final class Pairings implements ArgumentsProvider {
    private static final String NAMES = System.getProperty("pipedevice.test.pairings", "");

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        return chosen().map(Arguments::of);
    }

    static Stream<Pairing> chosen() {
        List<String> named = List.of(NAMES.split(","));
        return Arrays.stream(Pairing.values())
                .filter(pairing ->
                        NAMES.isEmpty() ? pairing != Pairing.PIPEDEVICE_RULE : named.contains(pairing.name()));
    }
}
