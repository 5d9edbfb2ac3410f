// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import io.pipedevice.linux.NamespaceThread;
import io.pipedevice.nio.PipeDeviceSelectorProvider;
import io.pipedevice.nio.channel.ClassicWay;
import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import sun.nio.ch.IOUtil;
import sun.nio.ch.NioSocketImpl;

/**
 * Opens sockets of java.net, of the JDK's implementation or of PipeDevice's, in a JVM without the agent. They differ
 * from those of a JVM with the agent only in the step that the agent changes, the choice of the implementation. Thread
 * safe.
 */
final class NetSockets {
    /** Opens the JDK's own. */
    static final NetSockets JDK = new NetSockets(server -> new NioSocketImpl(server != 0), null);

    private static final MethodHandle ACCEPT;
    private static final MethodHandle SET_CONNECTED;
    private static final VarHandle DESCRIPTOR;

    static {
        try {
            MethodHandles.Lookup socket = MethodHandles.privateLookupIn(Socket.class, MethodHandles.lookup());
            MethodHandles.Lookup server = MethodHandles.privateLookupIn(ServerSocket.class, MethodHandles.lookup());
            MethodType takesImpl = MethodType.methodType(void.class, SocketImpl.class);
            ACCEPT = server.findVirtual(ServerSocket.class, "implAccept", takesImpl);
            SET_CONNECTED = socket.findVirtual(Socket.class, "setConnectedImpl", takesImpl);
            DESCRIPTOR = MethodHandles.privateLookupIn(SocketImpl.class, MethodHandles.lookup())
                    .findVarHandle(SocketImpl.class, "fd", FileDescriptor.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private final IntFunction<SocketImpl> implementations;
    private final NamespaceThread thread;

    /** @param thread opens the sockets; null for the calling thread */
    private NetSockets(IntFunction<SocketImpl> implementations, NamespaceThread thread) {
        this.implementations = implementations;
        this.thread = thread;
    }

    /**
     * Opens sockets of PipeDevice's provider.
     *
     * @param thread in whose network namespace they are; null for that of the calling thread
     */
    static NetSockets of(SelectorProvider provider, NamespaceThread thread) {
        return new NetSockets((PipeDeviceSelectorProvider) provider, thread);
    }

    /** Opens a socket that is not connected. */
    Socket open() throws IOException {
        return inNamespace(() -> {
            Socket socket = OwnSocket.unconnected(implementations.apply(0));
            // The first call that needs the implementation creates it.
            socket.getSoTimeout();
            return socket;
        });
    }

    /** Opens a server socket that is not bound. */
    ServerSocket openServer() throws IOException {
        return inNamespace(() -> {
            ServerSocket socket = new OwnServer(implementations);
            socket.getSoTimeout();
            return socket;
        });
    }

    private <T> T inNamespace(Callable<T> opening) throws IOException {
        if (thread != null) {
            return thread.call(opening);
        }
        try {
            return opening.call();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the connection of a socket that this class has opened is on rings. */
    static boolean onRings(Socket socket) {
        return ClassicWay.isRings(((OwnSocket) socket).implementation);
    }

    /** The kernel's descriptor of a socket of the JDK's implementation; -1 if it is another one. */
    static int kernelDescriptor(Socket socket) {
        return socket instanceof OwnSocket own && own.implementation instanceof NioSocketImpl
                ? IOUtil.fdVal((FileDescriptor) DESCRIPTOR.get(own.implementation))
                : -1;
    }

    private static final class OwnSocket extends Socket {
        private final SocketImpl implementation;

        /**
         * Creates a socket.
         *
         * @param given the implementation that it connects with; null if it is set later
         * @param implementation the one that it has in the end
         */
        private OwnSocket(SocketImpl given, SocketImpl implementation) throws SocketException {
            super(given);
            this.implementation = implementation;
        }

        static OwnSocket unconnected(SocketImpl implementation) throws SocketException {
            return new OwnSocket(implementation, implementation);
        }

        /** The socket of an accepted connection. */
        static OwnSocket accepted(SocketImpl implementation) throws Throwable {
            OwnSocket socket = new OwnSocket(null, implementation);
            SET_CONNECTED.invoke((Socket) socket, implementation);
            return socket;
        }
    }

    private static final class OwnServer extends ServerSocket {
        private final IntFunction<SocketImpl> implementations;

        OwnServer(IntFunction<SocketImpl> implementations) {
            super(implementations.apply(1));
            this.implementations = implementations;
        }

        /** Does what the overridden method does, but with another implementation. */
        @Override
        public Socket accept() throws IOException {
            if (isClosed()) {
                throw new SocketException("Socket is closed");
            }
            if (!isBound()) {
                throw new SocketException("Socket is not bound yet");
            }
            SocketImpl accepted = implementations.apply(0);
            try {
                ACCEPT.invoke((ServerSocket) this, accepted);
                return OwnSocket.accepted(accepted);
            } catch (IOException | RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }
}
