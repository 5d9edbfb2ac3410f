// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a process of a {@link ServiceChain} does with a request.
 *
 * <pre>
 *   0 number 4   4 source address 4   8 destination port 4   12 checksum of the rest in the clear 4   16 encrypted
 * </pre>
 */
interface ChainFunction {
    /** The length of an answer, which is the beginning of the request. */
    int ANSWER = 8;

    int PORT = 8;
    int CHECKSUM = 12;
    int BODY = 16;
    int SOURCE = 4;

    /**
     * Handles a request in place.
     *
     * @param request complete, from position 0; left as it shall be passed on
     * @return which of the next processes gets it, modulo their number
     * @throws IOException if it is not as it should be
     */
    int handle(ByteBuffer request) throws IOException, GeneralSecurityException;

    /** The function of a name. */
    static ChainFunction named(String name) throws GeneralSecurityException {
        return switch (name) {
            case "firewall" -> new Firewall();
            case "balancer" -> request -> Integer.reverse(request.getInt(SOURCE) * 0x9E3779B9);
            case "worker" -> new Decryption();
            default -> throw new IllegalArgumentException("unknown function " + name);
        };
    }

    /** The cipher, at the beginning of a request. */
    static Cipher cipher(int mode) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
        cipher.init(mode, new SecretKeySpec(new byte[16], "AES"), new IvParameterSpec(new byte[16]));
        return cipher;
    }

    /** The checksum of what follows the head of a request. */
    static int checksum(ByteBuffer request) {
        CRC32C sum = new CRC32C();
        sum.update(request.slice(BODY, request.limit() - BODY));
        return (int) sum.getValue();
    }

    /** Compares each request with a list of rules, of which the last permits all ports. */
    final class Firewall implements ChainFunction {
        private static final int RULES = 100;

        private final int[] ports = new int[RULES];

        Firewall() {
            for (int i = 0; i < RULES; i++) {
                ports[i] = 40_000 + i;
            }
        }

        @Override
        public int handle(ByteBuffer request) throws IOException {
            int port = request.getInt(PORT);
            for (int forbidden : ports) {
                if (forbidden == port) {
                    throw new IOException("a request to port " + port);
                }
            }
            return 0;
        }
    }

    /** Decrypts each request, and compares its checksum. */
    final class Decryption implements ChainFunction {
        private final Cipher cipher = cipher(Cipher.DECRYPT_MODE);
        private ByteBuffer clear = ByteBuffer.allocateDirect(0);

        Decryption() throws GeneralSecurityException {}

        @Override
        public int handle(ByteBuffer request) throws IOException, GeneralSecurityException {
            if (clear.capacity() < request.limit()) {
                clear = ByteBuffer.allocateDirect(request.limit());
            }
            clear.clear().position(BODY);
            cipher.doFinal(request.slice(BODY, request.limit() - BODY), clear);
            if (checksum(clear.flip()) != request.getInt(CHECKSUM)) {
                throw new IOException("request " + request.getInt(0) + " was changed");
            }
            return 0;
        }
    }

    /** Makes requests. Used by one thread. */
    final class Source {
        private final ByteBuffer clear;
        private final ByteBuffer encrypted;
        private final Cipher cipher = cipher(Cipher.ENCRYPT_MODE);

        /**
         * @param length of each request, in bytes; more than its head
         */
        Source(int length) throws GeneralSecurityException {
            clear = ByteBuffer.allocateDirect(length);
            encrypted = ByteBuffer.allocateDirect(length);
        }

        /** The request of a number, valid until the next call. */
        ByteBuffer request(int number) throws GeneralSecurityException {
            clear.clear().putInt(BODY, number);
            encrypted.clear().position(BODY);
            cipher.doFinal(clear.slice(BODY, clear.limit() - BODY), encrypted);
            encrypted.flip().putInt(0, number).putInt(SOURCE, number % 251).putInt(PORT, 443);
            return encrypted.putInt(CHECKSUM, checksum(clear));
        }
    }
}
