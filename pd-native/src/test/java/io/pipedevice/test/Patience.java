// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for what they expect to happen, and how often they look. A machine that is busy with other things
 * may take seconds for what is done at once elsewhere, and a longer time costs only tests that fail. A test that does
 * not look at once waits in vain for what has already happened. JUnit finds this class by its file in
 * META-INF/services.
 */
public final class Patience implements BeforeAllCallback {
    /** For waits that have no time of their own. Shorter than the time that a test may take, which says less. */
    private static final Duration DEFAULT = Duration.ofSeconds(45);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

    /** Creates the extension. */
    public Patience() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(DEFAULT);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
    }
}
