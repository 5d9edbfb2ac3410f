// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an address to listen at, as {@code 127.0.0.1:9400} or {@code [::1]:9400}. */
final class HostPortConverter implements ITypeConverter<InetSocketAddress> {
    private static final int MAX_PORT = 65535;

    HostPortConverter() {}

    @Override
    public InetSocketAddress convert(String value) {
        int colon = value.lastIndexOf(':');
        String host = colon < 1 ? "" : value.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        String bare = bracketed ? host.substring(1, host.length() - 1) : host;
        if (bare.isEmpty() || (!bracketed && bare.indexOf(':') >= 0)) {
            throw refused(value);
        }
        int port = port(value, value.substring(colon + 1));
        InetSocketAddress address = new InetSocketAddress(bare, port);
        if (address.isUnresolved()) {
            throw new TypeConversionException("'" + value + "': there is no host " + bare);
        }
        return address;
    }

    private static int port(String value, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw refused(value);
        }
        throw refused(value);
    }

    private static TypeConversionException refused(String value) {
        return new TypeConversionException("'" + value
                + "' is not HOST:PORT; write it as 127.0.0.1:9400 or [::1]:9400, with a port of 0 to 65535");
    }
}
