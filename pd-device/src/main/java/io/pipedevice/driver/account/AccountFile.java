// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The file of a driver's accounts. Each line is an object of JSON: the first has the version and the time, the last a
 * checksum (CRC-32C) of all bytes before it, and each line between them one account, or what is in an account of one
 * end of a direct link that has not ended.
 *
 * <pre>{@literal
 *   {"pipedevice_accounts":1,"written":1764039615}
 *   {"container":"3f2a...","pod":"","since":1764039601,"last":1764039615,"processes":1,"open":2,
 *      "device_sent_bytes":1048576,...}          (in one line)
 *   {"memory":4711,"pid":42,"start":815,"sent":1048576,"received":0,"connections":1}
 *   {"crc32c":"9ae1b0c2"}
 * }</pre>
 *
 * <p>It is replaced as a whole, so a reader never sees a part of it.
 *
 * @param written when, in seconds since 1970
 * @param statements the accounts
 * @param links the direct links in the accounts
 */
public record AccountFile(long written, List<Statement> statements, List<LinkMark> links) {
    /** Its name in the driver's directory. */
    public static final String NAME = "accounts.jsonl";

    private static final int VERSION = 2;

    /** The first version; it has no links. */
    private static final int FIRST_VERSION = 1;

    private static final String VERSION_KEY = "pipedevice_accounts";
    private static final String MEMORY_KEY = "memory";

    /** The most links. */
    static final int MOST_LINKS = 8192;

    /** More than the size of a file with the most accounts, the longest names, and the most links. */
    private static final long MOST_BYTES = 8 << 20;

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    /**
     * Reads the file.
     *
     * @param file its path
     * @return its content
     * @throws NoSuchFileException if there is none
     * @throws IOException if it cannot be read, or is damaged; the message says how
     */
    public static AccountFile read(Path file) throws IOException {
        // To open a pipe for reading would wait for its writer.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("it is no regular file");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.size() > MOST_BYTES) {
                throw new IOException("it has more than " + MOST_BYTES + " bytes");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Until it is full.
            }
            return parse(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
        }
    }

    /** Replaces the file. */
    void write(Path file) throws IOException {
        Path fresh = file.resolveSibling(NAME + ".new");
        Files.deleteIfExists(fresh);
        try (FileChannel channel = FileChannel.open(fresh, NEW, OWNER_ONLY)) {
            ByteBuffer bytes = ByteBuffer.wrap(text().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("{\"").append(VERSION_KEY).append("\":").append(VERSION);
        text.append(",\"written\":").append(written).append("}\n");
        statements.forEach(each -> text.append(json(each)).append('\n'));
        links.forEach(each -> text.append(json(each)).append('\n'));
        return text.append(end(text)).append('\n').toString();
    }

    /** The last line after these. */
    private static String end(CharSequence text) {
        CRC32C sum = new CRC32C();
        sum.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "{\"crc32c\":\"%08x\"}", sum.getValue());
    }

    /**
     * An account as an object of JSON.
     *
     * @param statement of the account
     * @return in one line
     */
    public static String json(Statement statement) {
        StringBuilder text = new StringBuilder("{\"container\":");
        quote(text, statement.container());
        quote(text.append(",\"pod\":"), statement.pod());
        text.append(",\"since\":").append(statement.since());
        text.append(",\"last\":").append(statement.last());
        text.append(",\"processes\":").append(statement.processes());
        text.append(",\"open\":").append(statement.open());
        statement
                .totals()
                .forEach((tally, total) ->
                        text.append(",\"").append(tally.key()).append("\":").append(total));
        return text.append('}').toString();
    }

    private static String json(LinkMark mark) {
        return "{\"" + MEMORY_KEY + "\":" + mark.key().memory()
                + ",\"pid\":" + mark.key().pid()
                + ",\"start\":" + mark.key().startTime()
                + ",\"sent\":" + mark.sent()
                + ",\"received\":" + mark.received()
                + ",\"connections\":" + mark.connections() + "}";
    }

    private static void quote(StringBuilder to, String text) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '"' || each == '\\' || each < ' ' || each > '~') {
                to.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
            } else {
                to.append(each);
            }
        }
        to.append('"');
    }

    static AccountFile parse(String text) throws IOException {
        List<String> lines = text.lines().toList();
        if (lines.size() < 2 || lines.size() > AccountBook.MOST + 3 + MOST_LINKS) {
            throw new IOException("it has " + lines.size() + " lines");
        }
        String last = lines.getLast();
        if (!last.equals(end(text.substring(0, text.lastIndexOf(last))))) {
            throw new IOException("its checksum is wrong");
        }
        Map<?, ?> head = object(lines.getFirst());
        long version = number(head, VERSION_KEY);
        if (version < FIRST_VERSION || version > VERSION) {
            throw new IOException("it is of version " + head.get(VERSION_KEY) + ", not " + VERSION);
        }
        List<Statement> statements = new ArrayList<>();
        List<LinkMark> links = new ArrayList<>();
        for (String line : lines.subList(1, lines.size() - 1)) {
            Map<?, ?> object = object(line);
            if (object.containsKey(MEMORY_KEY)) {
                links.add(link(object));
            } else {
                statements.add(statement(object));
            }
        }
        if (statements.size() > AccountBook.MOST + 1 || links.size() > MOST_LINKS) {
            throw new IOException("it has " + statements.size() + " accounts and " + links.size() + " links");
        }
        return new AccountFile(number(head, "written"), List.copyOf(statements), List.copyOf(links));
    }

    /** JSON is a part of YAML. */
    private static Map<?, ?> object(String line) throws IOException {
        try {
            Object read = new Load(LoadSettings.builder().build()).loadFromString(line);
            if (read instanceof Map<?, ?> map) {
                return map;
            }
        } catch (YamlEngineException e) {
            throw new IOException("a line is no JSON", e);
        }
        throw new IOException("a line is no object of JSON");
    }

    private static Statement statement(Map<?, ?> from) throws IOException {
        Map<Tally, Long> totals = new EnumMap<>(Tally.class);
        for (Tally each : Tally.values()) {
            totals.put(each, number(from, each.key()));
        }
        return new Statement(
                text(from, "container"),
                text(from, "pod"),
                number(from, "since"),
                number(from, "last"),
                (int) number(from, "processes"),
                (int) number(from, "open"),
                totals);
    }

    private static LinkMark link(Map<?, ?> from) throws IOException {
        LinkMark.Key key = new LinkMark.Key((int) number(from, "pid"), number(from, "start"), number(from, MEMORY_KEY));
        return new LinkMark(key, number(from, "sent"), number(from, "received"), number(from, "connections"));
    }

    private static String text(Map<?, ?> from, String key) throws IOException {
        if (from.get(key) instanceof String text && text.length() <= AccountBook.LONGEST_NAME) {
            return text;
        }
        throw new IOException("an account has no valid " + key);
    }

    /** A number that an earlier version did not write is 0. */
    private static long number(Map<?, ?> from, String key) throws IOException {
        Object value = from.get(key);
        if (value == null) {
            return 0;
        }
        if ((value instanceof Integer || value instanceof Long) && ((Number) value).longValue() >= 0) {
            return ((Number) value).longValue();
        }
        throw new IOException(key + " is no number of 0 or more: " + value);
    }
}
