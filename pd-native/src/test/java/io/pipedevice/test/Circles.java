// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The circles of classes within a package: the largest sets in which every class depends, directly or through others of
 * the set, on every other one. A nested class counts as its outermost class.
 */
final class Circles {
    private final Map<String, Set<String>> dependencies = new TreeMap<>();
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final List<Set<String>> found = new ArrayList<>();

    Circles(Iterable<JavaClass> classes) {
        for (JavaClass each : classes) {
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass();
                if (target.getPackageName().equals(each.getPackageName())) {
                    dependencies
                            .computeIfAbsent(outermost(each), name -> new TreeSet<>())
                            .add(outermost(target));
                }
            }
        }
    }

    private static String outermost(JavaClass each) {
        int nested = each.getName().indexOf('$');
        return nested < 0 ? each.getName() : each.getName().substring(0, nested);
    }

    /** The circles of more than this many classes. */
    List<Set<String>> largerThan(int most) {
        dependencies.keySet().forEach(each -> {
            if (!order.containsKey(each)) {
                visit(each);
            }
        });
        return found.stream().filter(circle -> circle.size() > most).toList();
    }

    /** One step of Tarjan's algorithm for strongly connected components. */
    private void visit(String from) {
        int number = order.size();
        order.put(from, number);
        lowest.put(from, number);
        path.push(from);
        for (String to : dependencies.getOrDefault(from, Set.of())) {
            if (!order.containsKey(to)) {
                visit(to);
                lowest.merge(from, lowest.get(to), Math::min);
            } else if (path.contains(to)) {
                lowest.merge(from, order.get(to), Math::min);
            }
        }
        if (lowest.get(from) == number) {
            Set<String> circle = new TreeSet<>();
            String left;
            do {
                left = path.pop();
                circle.add(left);
            } while (!left.equals(from));
            found.add(circle);
        }
    }
}
