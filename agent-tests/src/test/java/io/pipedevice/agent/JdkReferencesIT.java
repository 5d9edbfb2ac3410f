// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The classes of the jar are compiled against the JDK that builds, and run on older ones: what they name has to be
 * there. Packages that the JDK does not export are not looked at.
 */
class JdkReferencesIT {
    private static final int OLDEST = 21;
    private static final int VERSION_OF_OLDEST = 65;

    /** Code that runs only from a release on, by the beginning of its classes' names: {@code io.pipedevice.jdk.Jdk}. */
    private static final Map<String, Integer> LATER = Map.of(
            "io/pipedevice/jdk/Foreign", 22,
            "io/pipedevice/nio/start/BootClass", 24,
            "io/pipedevice/active/bpf/compiler/", 24);

    /** Their methods have any signature. */
    private static final Set<String> POLYMORPHIC =
            Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

    /** The classes of the jar, by their internal names. */
    private static final Map<String, ClassModel> JAR = new HashMap<>();

    private Map<String, ClassModel> api;

    @BeforeAll
    static void readTheJar() throws IOException {
        try (ZipFile archive = new ZipFile(Jvm.JAR.toFile())) {
            for (ZipEntry entry : (Iterable<ZipEntry>) archive.stream().map(ZipEntry.class::cast)::iterator) {
                if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
                    JdkApi.put(JAR, archive, entry);
                }
            }
        }
    }

    @Test
    void theOldestJdkReadsAllClasses() {
        List<String> newer = JAR.values().stream()
                .filter(each -> each.majorVersion() > VERSION_OF_OLDEST)
                .map(each -> each.thisClass().asInternalName())
                .toList();
        assertEquals(List.of(), newer);
    }

    @ParameterizedTest
    @ValueSource(ints = {OLDEST, 22, 23, 24, 25})
    void whatTheClassesNameIsThere(int release) throws IOException {
        api = JdkApi.of(release);
        Set<String> missing = new TreeSet<>();
        int references = 0;
        for (ClassModel each : JAR.values()) {
            String name = each.thisClass().asInternalName();
            if (LATER.entrySet().stream()
                    .noneMatch(later -> name.startsWith(later.getKey()) && release < later.getValue())) {
                for (PoolEntry entry : each.constantPool()) {
                    references++;
                    if (isMissing(entry)) {
                        missing.add(name + " names " + entry);
                    }
                }
            }
        }
        assertEquals(Set.of(), missing);
        assertTrue(references > 100_000, () -> "the jar has " + JAR.size() + " classes");
    }

    private boolean isMissing(PoolEntry entry) {
        if (entry instanceof ClassEntry type) {
            String name = type.asInternalName();
            return name.startsWith("java/") && !api.containsKey(name);
        }
        return entry instanceof MemberRefEntry member
                && !member.owner().asInternalName().startsWith("[")
                && !isIn(member.owner().asInternalName(), member, new HashSet<>());
    }

    /** Whether a type or one that it extends has the member; true if one of them is in a package that is not seen. */
    private boolean isIn(String owner, MemberRefEntry member, Set<String> seen) {
        ClassModel type = JAR.containsKey(owner) ? JAR.get(owner) : api.get(owner);
        if (type == null) {
            return !owner.startsWith("java/");
        }
        return seen.add(owner)
                && (declares(type, member) || supertypes(type).stream().anyMatch(each -> isIn(each, member, seen)));
    }

    private static boolean declares(ClassModel type, MemberRefEntry member) {
        if (member instanceof FieldRefEntry) {
            return type.fields().stream()
                    .anyMatch(each -> each.fieldName().equals(member.name())
                            && each.fieldType().equals(member.type()));
        }
        boolean anyType = POLYMORPHIC.contains(type.thisClass().asInternalName());
        return type.methods().stream()
                .anyMatch(each -> each.methodName().equals(member.name())
                        && (anyType || each.methodType().equals(member.type())));
    }

    private static List<String> supertypes(ClassModel type) {
        List<String> names = new ArrayList<>();
        type.superclass().ifPresent(each -> names.add(each.asInternalName()));
        type.interfaces().forEach(each -> names.add(each.asInternalName()));
        if (type.flags().has(AccessFlag.INTERFACE)) {
            names.add("java/lang/Object");
        }
        return names;
    }
}
