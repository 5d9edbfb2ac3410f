// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** The threads of the default group, as the documentation of {@code AsynchronousChannelGroup} describes them. */
final class DefaultThreads {
    private static final String FACTORY_PROPERTY = "java.nio.channels.DefaultThreadPool.threadFactory";

    private DefaultThreads() {}

    /** Creates an executor that makes threads as they are needed, daemons unless the program names a factory. */
    static ExecutorService executor() {
        String name = System.getProperty(FACTORY_PROPERTY);
        return Executors.newCachedThreadPool(name == null ? DefaultThreads::daemon : factory(name));
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    private static ThreadFactory factory(String name) {
        try {
            return Class.forName(name, true, ClassLoader.getSystemClassLoader())
                    .asSubclass(ThreadFactory.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            // The documentation asks for an unspecified error.
            throw new IllegalStateException(FACTORY_PROPERTY + " names no thread factory: " + name, e);
        }
    }
}
