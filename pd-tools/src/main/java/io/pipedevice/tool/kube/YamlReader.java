// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Makes trees of the documents of a text. Its time and memory grow with the length of the text only: it neither expands
 * aliases nor calls itself for a level.
 */
final class YamlReader {
    /** More than the schemas of custom resources have. */
    static final int MOST_DEPTH = 500;

    /** For a hundred bytes each, 200 MB. */
    static final int MOST_NODES = 2_000_000;

    private final String file;
    private final List<YamlNode> documents = new ArrayList<>();
    private final Deque<YamlNode.Collection> open = new ArrayDeque<>();
    private final Map<Anchor, YamlNode> anchors = new HashMap<>();
    private int nodes;

    private YamlReader(String file) {
        this.file = file;
    }

    /**
     * Reads all documents of a text.
     *
     * @param file for messages
     * @param text the caller bounds its length
     * @return the roots of the documents
     * @throws KubeException if it is no YAML, or exceeds a bound
     */
    static List<YamlNode> read(String file, String text) throws KubeException {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file)
                .setCodePointLimit(Integer.MAX_VALUE)
                .build();
        YamlReader reader = new YamlReader(file);
        try {
            ParserImpl events = new ParserImpl(settings, new StreamReader(settings, text));
            while (events.hasNext()) {
                reader.take(events.next());
            }
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new KubeException(file, line, "no YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new KubeException(
                    file,
                    "no YAML: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        return reader.documents;
    }

    private void take(Event event) throws KubeException {
        Mark begin = event.getStartMark().orElseThrow();
        Mark end = event.getEndMark().orElseThrow();
        int start = begin.getIndex();
        int line = begin.getLine() + 1;
        switch (event.getEventId()) {
            case DocumentStart -> anchors.clear();
            case SequenceEnd, MappingEnd -> open.removeLast().close(end.getIndex());
            case Alias -> add(new YamlNode.Alias(start, end.getIndex(), line, target((AliasEvent) event, line)));
            case Scalar -> {
                ScalarEvent scalar = (ScalarEvent) event;
                String tag = scalar.getTag().orElse(null);
                define(
                        scalar,
                        new YamlNode.Scalar(
                                start, end.getIndex(), line, tag, scalar.getValue(), scalar.getScalarStyle()));
            }
            case SequenceStart -> {
                CollectionStartEvent list = (CollectionStartEvent) event;
                begin(list, new YamlNode.Sequence(start, line, list.getTag().orElse(null), list.isFlow()));
            }
            case MappingStart -> {
                CollectionStartEvent mapping = (CollectionStartEvent) event;
                begin(
                        mapping,
                        new YamlNode.Mapping(start, line, mapping.getTag().orElse(null), mapping.isFlow()));
            }
            default -> {}
        }
    }

    private YamlNode target(AliasEvent alias, int line) throws KubeException {
        YamlNode target = anchors.get(alias.getAlias());
        if (target == null) {
            throw new KubeException(file, line, "no YAML: *" + alias.getAlias() + " stands for nothing");
        }
        return target;
    }

    private void define(NodeEvent event, YamlNode node) throws KubeException {
        event.getAnchor().ifPresent(anchor -> anchors.put(anchor, node));
        add(node);
    }

    private void begin(CollectionStartEvent event, YamlNode.Collection node) throws KubeException {
        define(event, node);
        open.addLast(node);
        if (open.size() > MOST_DEPTH) {
            throw new KubeException(file, node.line, "more than " + MOST_DEPTH + " levels");
        }
    }

    private void add(YamlNode node) throws KubeException {
        nodes++;
        if (nodes > MOST_NODES) {
            throw new KubeException(file, node.line, "more than " + MOST_NODES + " values");
        }
        if (open.isEmpty()) {
            documents.add(node);
        } else {
            open.getLast().add(node);
        }
    }
}
