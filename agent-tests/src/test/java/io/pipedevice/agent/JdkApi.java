// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The public classes of a release of the JDK, previews too, as this JDK's compiler knows them: {@code lib/ct.sym} has
 * them as class files without code, in directories whose names have one character for each release.
 */
final class JdkApi {
    private static final String CLASS = ".sig";
    private static final int FIRST_LETTER = 10;

    private JdkApi() {}

    /** The classes of a release, 10 or later, by their internal names. */
    static Map<String, ClassModel> of(int release) throws IOException {
        char letter = (char) ('A' + release - FIRST_LETTER);
        Map<String, ClassModel> classes = new HashMap<>();
        Path file = Path.of(System.getProperty("java.home"), "lib", "ct.sym");
        try (ZipFile all = new ZipFile(file.toFile())) {
            for (ZipEntry entry : (Iterable<ZipEntry>) all.stream().map(ZipEntry.class::cast)::iterator) {
                String name = entry.getName();
                if (name.endsWith(CLASS) && name.substring(0, name.indexOf('/')).indexOf(letter) >= 0) {
                    put(classes, all, entry);
                }
            }
        }
        return classes;
    }

    /** Adds a class file of an archive; module descriptors are none. */
    static void put(Map<String, ClassModel> classes, ZipFile archive, ZipEntry entry) throws IOException {
        try (InputStream in = archive.getInputStream(entry)) {
            ClassModel model = ClassFile.of().parse(in.readAllBytes());
            if (!model.isModuleInfo()) {
                classes.put(model.thisClass().asInternalName(), model);
            }
        }
    }
}
