// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.FileNotFoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** A remote object, and its name in the registry. */
interface RmiEcho extends Remote {
    String NAME = "echo";

    byte[] echo(byte[] message) throws RemoteException;

    /** Calls the listener once for each of some messages, numbered from 0, of which the last has a length. */
    void callBack(Listener listener, int count, int length) throws RemoteException;

    /** Throws an exception with this message. */
    void fail(String message) throws RemoteException, FileNotFoundException;

    /** An object of the client. */
    interface Listener extends Remote {
        /** Takes the noise of the number as its seed, and returns the digest of it. */
        String take(int number, byte[] message) throws RemoteException;
    }
}
