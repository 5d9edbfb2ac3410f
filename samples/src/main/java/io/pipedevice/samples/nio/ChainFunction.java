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
 * What a process of a {@link ServiceChain}, whatever carries its requests, does with a request.
 *
 * <pre>
 *   0 number 4   4 source address 4   8 destination port 4   12 checksum of the rest in the clear 4   16 encrypted
 * </pre>
 */
public interface ChainFunction {
    /** The length of an answer, which is the beginning of the request. */
    int ANSWER = 8;

    /** Where the source address lies. */
    int SOURCE = 4;

    /** Where the destination port lies. */
    int PORT = 8;

    /** Where the checksum lies. */
    int CHECKSUM = 12;

    /** Where the encrypted rest begins. */
    int BODY = 16;

    /**
     * Handles a request where it lies.
     *
     * @param request complete, from position 0 to the limit; it is not changed
     * @return which of the next processes gets it, modulo their number
     * @throws IOException if it is not as it should be
     * @throws GeneralSecurityException if it cannot be decrypted
     */
    int handle(ByteBuffer request) throws IOException, GeneralSecurityException;

    /**
     * The function of a name.
     *
     * @param name firewall, balancer or worker
     * @return the function, for one thread
     * @throws GeneralSecurityException if there is no cipher
     */
    static ChainFunction named(String name) throws GeneralSecurityException {
        return switch (name) {
            case "firewall" -> new Firewall();
            case "balancer" -> request -> Integer.reverse(request.getInt(SOURCE) * 0x9E3779B9);
            case "worker" -> new Decryption();
            default -> throw new IllegalArgumentException("unknown function " + name);
        };
    }

    /**
     * The cipher, at the beginning of a request.
     *
     * @param mode to encrypt or to decrypt
     * @return the cipher
     * @throws GeneralSecurityException if there is none
     */
    static Cipher cipher(int mode) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
        cipher.init(mode, new SecretKeySpec(new byte[16], "AES"), new IvParameterSpec(new byte[16]));
        return cipher;
    }

    /**
     * The checksum of what follows the head of a request.
     *
     * @param request from position 0 to the limit, in the clear
     * @return a CRC32C
     */
    static int checksum(ByteBuffer request) {
        CRC32C sum = new CRC32C();
        sum.update(request.slice(BODY, request.limit() - BODY));
        return (int) sum.getValue();
    }

    /** Compares each request with a list of rules, of which the last permits all ports. */
    final class Firewall implements ChainFunction {
        private static final int RULES = 100;

        private final int[] ports = new int[RULES];

        private Firewall() {
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

        private Decryption() throws GeneralSecurityException {}

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
        private static final int ADDRESSES = 251;

        private final ByteBuffer clear;
        private final Cipher cipher = cipher(Cipher.ENCRYPT_MODE);

        /**
         * Creates a source.
         *
         * @param length of each request, in bytes; more than its head
         * @throws GeneralSecurityException if there is no cipher
         */
        public Source(int length) throws GeneralSecurityException {
            clear = ByteBuffer.allocateDirect(length);
        }

        static int address(int number) {
            return number % ADDRESSES;
        }

        /**
         * Writes the request of a number.
         *
         * @param number of the request
         * @param into receives it, from position 0; its limit becomes the end of the request, and its position 0
         * @throws GeneralSecurityException if it cannot be encrypted
         */
        public void write(int number, ByteBuffer into) throws GeneralSecurityException {
            clear.clear().putInt(BODY, number);
            into.clear().position(BODY);
            cipher.doFinal(clear.slice(BODY, clear.limit() - BODY), into);
            into.flip().putInt(0, number).putInt(SOURCE, address(number)).putInt(PORT, 443);
            into.putInt(CHECKSUM, checksum(clear));
        }
    }
}
