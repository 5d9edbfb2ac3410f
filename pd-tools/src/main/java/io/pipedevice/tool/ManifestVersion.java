// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}: the jar's version, and the JVM that runs it. */
final class ManifestVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = PipeDeviceCommand.class.getPackage().getImplementationVersion();
        return new String[] {
            "pipedevice " + (version == null ? "(not from a jar)" : version),
            "JVM ${java.runtime.version}, ${java.vendor}"
        };
    }
}
