// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import io.pipedevice.device.model.FpgaModel;
import io.pipedevice.device.pci.PciFunction;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/** A model in which some registers have other values. It counts writes, or fails them. */
final class PlayedFunction implements InvocationHandler {
    final FpgaModel model = new FpgaModel(new FpgaModel.Context());
    final Map<Integer, Integer> registers = new HashMap<>();
    int writes;
    boolean failing;
    boolean closed;

    PciFunction function() {
        return (PciFunction)
                Proxy.newProxyInstance(PciFunction.class.getClassLoader(), new Class<?>[] {PciFunction.class}, this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "read" -> {
                Integer value = registers.get(arguments[0]);
                if (value != null) {
                    return value;
                }
            }
            case "write" -> {
                writes++;
                if (failing) {
                    throw new IllegalStateException("a write fails");
                }
            }
            case "close" -> closed = true;
            default -> {}
        }
        try {
            return method.invoke(model, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
