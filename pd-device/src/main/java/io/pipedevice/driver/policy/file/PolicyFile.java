// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

import io.pipedevice.driver.policy.RulePolicy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of a policy. */
public final class PolicyFile {
    /** As long as a ConfigMap of Kubernetes may be. */
    static final int MOST_BYTES = 1 << 20;

    private PolicyFile() {}

    /**
     * Reads a policy.
     *
     * @param path of the file
     * @return the policy
     * @throws PolicyException if it cannot be read, or is no policy; the message has the file and the line
     */
    public static RulePolicy read(Path path) throws PolicyException {
        return parse(path, bytes(path));
    }

    /** The bytes of a file. */
    static byte[] bytes(Path path) throws PolicyException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length <= MOST_BYTES) {
                return bytes;
            }
        } catch (IOException e) {
            throw new PolicyException(path.toString(), "cannot be read: " + e, e);
        }
        throw new PolicyException(path.toString(), "is longer than " + MOST_BYTES + " bytes", null);
    }

    /** The policy of the bytes of a file. */
    static RulePolicy parse(Path path, byte[] bytes) throws PolicyException {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return PolicyReader.read(path.toString(), text);
        } catch (CharacterCodingException e) {
            throw new PolicyException(path.toString(), "is not in UTF-8", e);
        }
    }
}
