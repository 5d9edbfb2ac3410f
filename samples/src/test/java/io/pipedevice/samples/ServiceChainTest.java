// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.samples.nio.ServiceChain;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ServiceChainTest {
    private final Chain chain = new Chain();

    @AfterEach
    void end() {
        chain.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyRequestIsAnsweredOnce(boolean accelerated) throws IOException, InterruptedException {
        List<String> flags = accelerated ? List.of(RingAllreduceTest.PROVIDER) : List.of();
        String channel = chain.answer(flags, ServiceChain.class);
        assertEquals(accelerated, channel.contains("rings"), channel);
    }
}
