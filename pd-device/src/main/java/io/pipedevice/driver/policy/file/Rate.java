// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads rates, such as {@code 10 Gbit/s}, {@code 1.25GB/s}, {@code 100 MiB/s} or {@code 125000000}. */
final class Rate {
    static final String ALLOWED = "bytes per second, or with a unit: 10 Gbit/s, 500 Mbit/s, 1.25 GB/s, 100 MiB/s";

    private static final Pattern FORM =
            Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)(?: ?([kKMGT]?)(i?)(bit|B)/s)?");
    private static final int BITS = 8;
    private static final int DECIMAL = 1000;
    private static final int BINARY = 1024;

    private Rate() {}

    /**
     * Reads a rate.
     *
     * @return bytes per second; -1 if it is none, or has an impossible size
     */
    static long parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            return -1;
        }
        BigDecimal value = new BigDecimal(matcher.group(1));
        if (matcher.group(4) != null) {
            int power = matcher.group(2).isEmpty()
                    ? 0
                    : "kMGT".indexOf(matcher.group(2).replace('K', 'k')) + 1;
            boolean binary = !matcher.group(3).isEmpty();
            if (binary && power == 0) {
                return -1;
            }
            value = value.multiply(BigDecimal.valueOf(binary ? BINARY : DECIMAL).pow(power));
            if (matcher.group(4).equals("bit")) {
                value = value.divide(BigDecimal.valueOf(BITS));
            }
        }
        return value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 ? -1 : value.longValue();
    }
}
