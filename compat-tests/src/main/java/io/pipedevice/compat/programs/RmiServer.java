// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** A remote object in a registry of its own, whose {@code port} it takes. */
final class RmiServer implements RmiEcho {
    /** RMI itself does not keep an object that no client has yet. */
    private static final RmiServer OBJECT = new RmiServer();

    private RmiServer() {}

    public static void main(String[] args) throws IOException {
        Registry registry = LocateRegistry.createRegistry(new Arguments(args).number("port"));
        registry.rebind(NAME, UnicastRemoteObject.exportObject(OBJECT, 0));
        Console.ready();
        Console.awaitEnd();
        System.exit(0);
    }

    @Override
    public byte[] echo(byte[] message) {
        return message;
    }

    @Override
    public void callBack(Listener listener, int count, int length) throws RemoteException {
        for (int i = 0; i < count; i++) {
            byte[] message = Noise.bytes(i, length * (i + 1) / count);
            Checks.same(Noise.digest(message), listener.take(i, message));
        }
    }

    @Override
    public void fail(String message) throws FileNotFoundException {
        throw new FileNotFoundException(message);
    }
}
