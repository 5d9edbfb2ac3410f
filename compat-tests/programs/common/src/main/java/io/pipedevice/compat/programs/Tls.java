// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS with one self-signed certificate, whose key store {@code keystore=FILE} names. */
final class Tls {
    private static final char[] PASSWORD = "password".toCharArray();

    private Tls() {}

    static String password() {
        return new String(PASSWORD);
    }

    static KeyManagerFactory keys(Arguments arguments) throws IOException, GeneralSecurityException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(load(arguments), PASSWORD);
        return factory;
    }

    static TrustManagerFactory trust(Arguments arguments) throws IOException, GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(load(arguments));
        return factory;
    }

    static SSLContext client(Arguments arguments) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust(arguments).getTrustManagers(), null);
        return context;
    }

    static KeyStore load(Arguments arguments) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(Path.of(arguments.text("keystore")))) {
            store.load(file, PASSWORD);
        }
        return store;
    }
}
