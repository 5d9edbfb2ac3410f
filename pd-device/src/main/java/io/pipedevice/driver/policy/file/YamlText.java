// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy.file;

import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Reads a text of YAML, with bounds on what it may ask of this process. */
final class YamlText {
    /** The most levels, more than any policy has: the library calls itself for each level. */
    private static final int MOST_DEPTH = 16;

    private static final int MOST_ALIASES = 100;

    private final String file;
    private final String text;
    private final LoadSettings settings;

    private YamlText(String file, String text) {
        this.file = file;
        this.text = text;
        this.settings = LoadSettings.builder()
                .setLabel(file)
                .setCodePointLimit(Integer.MAX_VALUE)
                .build();
    }

    /**
     * Reads the one document of a text.
     *
     * @param file for messages
     * @param text the caller bounds its length
     * @return its root
     * @throws PolicyException if it is no YAML, or has no document, or exceeds a bound
     */
    static Node read(String file, String text) throws PolicyException {
        return new YamlText(file, text).read();
    }

    private Node read() throws PolicyException {
        try {
            checkBounds();
            Optional<Node> root = new Composer(settings, parser()).getSingleNode();
            if (root.isPresent()) {
                return root.get();
            }
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(YamlText::line).orElse(1);
            throw new PolicyException(file, line, "no YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new PolicyException(file, "no YAML: " + firstLine(e), e);
        }
        throw new PolicyException(file, 1, "the file has no text; allowed are containers, rules, default, limits");
    }

    /** {@code Parse} and {@code Compose} do the same, in a package that the library's module does not export. */
    private Parser parser() {
        return new ParserImpl(settings, new StreamReader(settings, text));
    }

    private static String firstLine(YamlEngineException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    /** Looks at the parts one after the other, before the library makes a tree of them. */
    private void checkBounds() throws PolicyException {
        int depth = 0;
        int aliases = 0;
        Parser events = parser();
        while (events.hasNext()) {
            Event each = events.next();
            switch (each.getEventId()) {
                case MappingStart, SequenceStart -> depth++;
                case MappingEnd, SequenceEnd -> depth--;
                case Alias -> aliases++;
                default -> {}
            }
            if (depth > MOST_DEPTH || aliases > MOST_ALIASES) {
                int line = each.getStartMark().map(YamlText::line).orElse(1);
                throw new PolicyException(
                        file,
                        line,
                        depth > MOST_DEPTH
                                ? "more than " + MOST_DEPTH + " levels"
                                : "more than " + MOST_ALIASES + " aliases (*NAME)");
            }
        }
    }

    /** The line of a place, from 1. */
    static int line(Node node) {
        return node.getStartMark().map(YamlText::line).orElse(1);
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }
}
