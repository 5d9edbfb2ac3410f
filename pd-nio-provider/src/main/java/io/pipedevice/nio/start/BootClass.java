// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Opens packages by a class in java.base: JNI can define one there, and the foreign function interface can call JNI.
 * The JDK prints a warning of its own unless native access is enabled, and refuses under
 * {@code --illegal-native-access=deny}.
 *
 * <p>Only one JNI function that returns an object is called, and the object is not used: a JNI reference does not
 * outlive the next native method that Java calls, and so cannot be held by Java code.
 */
final class BootClass {
    private static final String NAME = JdkPackages.CHANNELS + ".PipeDeviceExports";
    private static final int JNI_VERSION_10 = 0x000a0000;

    // Places in the function tables of the JNI specification.
    private static final int VM_GET_ENV = 6;
    private static final int ENV_DEFINE_CLASS = 5;
    private static final int ENV_EXCEPTION_CLEAR = 17;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final Linker LINKER = Linker.nativeLinker();

    private BootClass() {}

    /** Opens the packages that this module needs, and allows it native access. Works for the unnamed module only. */
    static void open() throws Throwable {
        define(bytes());
        Class.forName(NAME, true, null);
    }

    /** A class whose initialiser calls methods that every class of java.base may call. */
    private static byte[] bytes() {
        ClassDesc secrets = ClassDesc.of("jdk.internal.access.SharedSecrets");
        ClassDesc access = ClassDesc.of("jdk.internal.access.JavaLangAccess");
        ClassDesc object = ClassDesc.of("java.lang.Object");
        ClassDesc type = ClassDesc.of("java.lang.Class");
        ClassDesc module = ClassDesc.of("java.lang.Module");
        return ClassFile.of()
                .build(
                        ClassDesc.of(NAME),
                        builder -> builder.withMethodBody(
                                "<clinit>", MethodTypeDesc.of(CD_void), ClassFile.ACC_STATIC, (CodeBuilder code) -> {
                                    for (String name : JdkPackages.NEEDED) {
                                        code.invokestatic(secrets, "getJavaLangAccess", MethodTypeDesc.of(access));
                                        code.loadConstant(object)
                                                .invokevirtual(type, "getModule", MethodTypeDesc.of(module));
                                        code.loadConstant(name);
                                        code.invokeinterface(
                                                access,
                                                "addExportsToAllUnnamed",
                                                MethodTypeDesc.of(CD_void, module, CD_String));
                                    }
                                    code.invokestatic(secrets, "getJavaLangAccess", MethodTypeDesc.of(access));
                                    code.invokeinterface(
                                            access, "addEnableNativeAccessToAllUnnamed", MethodTypeDesc.of(CD_void));
                                    code.return_();
                                }));
    }

    @SuppressWarnings("restricted")
    private static void define(byte[] bytes) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            Path library = Path.of(System.getProperty("java.home"), "lib", "server", System.mapLibraryName("jvm"));
            MemorySegment vms = SymbolLookup.libraryLookup(library, arena).findOrThrow("JNI_GetCreatedJavaVMs");
            MemorySegment result = arena.allocate(POINTER);
            MemorySegment count = arena.allocate(INT);
            check((int) bind(vms, INT, POINTER, INT, POINTER).invokeExact(result, 1, count));
            MemorySegment vm = result.get(POINTER, 0);
            MethodHandle getEnv = bind(function(vm, VM_GET_ENV), INT, POINTER, POINTER, INT);
            check((int) getEnv.invokeExact(vm, result, JNI_VERSION_10));
            MemorySegment env = result.get(POINTER, 0);
            MethodHandle defineClass =
                    bind(function(env, ENV_DEFINE_CLASS), POINTER, POINTER, POINTER, POINTER, POINTER, INT);
            MethodHandle exceptionClear =
                    LINKER.downcallHandle(function(env, ENV_EXCEPTION_CLEAR), FunctionDescriptor.ofVoid(POINTER));
            MemorySegment name = arena.allocateFrom(NAME.replace('.', '/'));
            MemorySegment code = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            MemorySegment defined =
                    (MemorySegment) defineClass.invokeExact(env, name, MemorySegment.NULL, code, bytes.length);
            exceptionClear.invokeExact(env);
            if (defined.equals(MemorySegment.NULL)) {
                throw new IllegalStateException("the JVM does not define a class in java.base");
            }
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(MemorySegment function, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(function, FunctionDescriptor.of(result, arguments));
    }

    /** A function of the table that a JNI object begins with. */
    @SuppressWarnings("restricted")
    private static MemorySegment function(MemorySegment object, int index) {
        MemorySegment table = object.reinterpret(POINTER.byteSize()).get(POINTER, 0);
        return table.reinterpret(POINTER.byteSize() * (index + 1)).getAtIndex(POINTER, index);
    }

    private static void check(int status) {
        if (status != 0) {
            throw new IllegalStateException("JNI returned " + status);
        }
    }
}
