// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Groups of asynchronous channels: their threads, handlers that block or fail, and their end. */
class AsynchronousGroupContractTest extends AsynchronousContract {
    private AsynchronousChannelProvider provider() {
        return AsynchronousProviders.of(pairing.client());
    }

    /** Makes threads that the test knows. */
    private static final class Threads implements ThreadFactory {
        final Set<Thread> made = ConcurrentHashMap.newKeySet();
        final List<Throwable> uncaught = new ArrayList<>();

        @Override
        public Thread newThread(Runnable work) {
            Thread thread = new Thread(work, "test");
            thread.setUncaughtExceptionHandler((here, e) -> {
                synchronized (uncaught) {
                    uncaught.add(e);
                }
            });
            made.add(thread);
            return thread;
        }
    }

    @Test
    void handlersRunOnThreadsOfTheGroup() throws Exception {
        Threads threads = new Threads();
        AsynchronousChannelGroup group = provider().openAsynchronousChannelGroup(2, threads);
        closeLater(group::shutdownNow);
        Ends ends = connectAsync(group, null);
        Completion<Integer> later = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), later, later);
        Completion<Integer> write = new Completion<>();
        ends.client().write(bytes(1), write, write);
        assertEquals(1, write.value());
        ends.server().write(bytes(1)).get();
        assertEquals(1, later.value());
        assertTrue(threads.made.contains(write.caller()));
        assertTrue(threads.made.contains(later.caller()));
        assertEquals(2, threads.made.size());
        assertSame(ends.client().provider(), group.provider());
    }

    @Test
    void handlersRunOnThreadsOfTheProgramsExecutor() throws Exception {
        Threads threads = new Threads();
        ExecutorService executor = Executors.newCachedThreadPool(threads);
        AsynchronousChannelGroup group = provider().openAsynchronousChannelGroup(executor, 0);
        closeLater(group::shutdownNow);
        Ends ends = connectAsync(group, null);
        for (int i = 0; i < 20; i++) {
            Completion<Integer> read = new Completion<>();
            ends.client().read(ByteBuffer.allocate(1), read, read);
            if (i % 3 == 0) {
                Thread.sleep(5);
            }
            ends.server().write(bytes(1)).get();
            assertEquals(1, read.value());
            assertTrue(threads.made.contains(read.caller()));
        }
        group.shutdownNow();
        assertTrue(group.awaitTermination(20, TimeUnit.SECONDS));
        assertTrue(executor.isTerminated());
    }

    @Test
    void handlersMayBlockOnAllThreadsButOne() throws Exception {
        handlersMayBlock(openClientGroup(4), 3);
    }

    @Test
    void handlersMayBlockWithAnExecutor() throws Exception {
        AsynchronousChannelGroup group = provider().openAsynchronousChannelGroup(Executors.newCachedThreadPool(), 0);
        handlersMayBlock(group, 10);
        group.shutdownNow();
        assertTrue(group.awaitTermination(20, TimeUnit.SECONDS));
    }

    @Test
    void handlersMayBlockAgainAndAgainWithAnExecutor() throws Exception {
        AsynchronousChannelGroup group = provider().openAsynchronousChannelGroup(Executors.newCachedThreadPool(), 0);
        closeLater(group::shutdownNow);
        Ends waiting = connectAsync(group, null);
        Ends awaited = connectAsync(group, null);
        for (int i = 0; i < 50; i++) {
            CompletableFuture<Integer> done = new CompletableFuture<>();
            waiting.client().read(ByteBuffer.allocate(1), null, new CompletionHandler<Integer, Object>() {
                @Override
                public void completed(Integer count, Object none) {
                    // As servlets read the body of a request: the rest of the stream comes while the handler waits.
                    Completion<Integer> rest = new Completion<>();
                    awaited.client().read(ByteBuffer.allocate(1), rest, rest);
                    done.complete(rest.get());
                }

                @Override
                public void failed(Throwable cause, Object none) {
                    done.completeExceptionally(cause);
                }
            });
            waiting.server().write(bytes(1)).get();
            awaited.server().write(bytes(1)).get();
            assertEquals(1, done.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void aHandlerMayWaitForTheNextOneWithAnExecutor() throws Exception {
        AsynchronousChannelGroup group = provider().openAsynchronousChannelGroup(Executors.newCachedThreadPool(), 0);
        closeLater(group::shutdownNow);
        Ends one = connectAsync(group, null);
        Ends other = connectAsync(group, null);
        for (int i = 0; i < 200; i++) {
            Completion<Integer> next = new Completion<>();
            CompletableFuture<Integer> done = new CompletableFuture<>();
            one.client().write(bytes(1), null, new CompletionHandler<Integer, Object>() {
                @Override
                public void completed(Integer count, Object none) {
                    done.complete(next.get());
                }

                @Override
                public void failed(Throwable cause, Object none) {
                    done.completeExceptionally(cause);
                }
            });
            other.client().write(bytes(1), next, next);
            assertEquals(1, done.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void anExecutorThatRunsTasksInItsCallerKeepsNoThreadOfTheProgram() throws Exception {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), new ThreadPoolExecutor.CallerRunsPolicy());
        AsynchronousChannelGroup group = provider().openAsynchronousChannelGroup(executor, 0);
        closeLater(group::shutdownNow);
        Ends ends = connectAsync(group, null);
        CountDownLatch release = new CountDownLatch(1);
        executor.execute(() -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                return;
            }
        });
        for (int i = 0; i < 50; i++) {
            Completion<Integer> write = new Completion<>();
            ends.client().write(bytes(1), write, write);
            assertEquals(1, write.value());
        }
        release.countDown();
    }

    @Test
    void handlersMayBlockInTheDefaultGroup() throws Exception {
        handlersMayBlock(null, 10);
    }

    private void handlersMayBlock(AsynchronousChannelGroup group, int blocked) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(blocked);
        CountDownLatch left = new CountDownLatch(blocked);
        try {
            for (int i = 0; i < blocked; i++) {
                Ends ends = connectAsync(group, null);
                ends.client().read(ByteBuffer.allocate(1), null, new CompletionHandler<Integer, Object>() {
                    @Override
                    public void completed(Integer count, Object none) {
                        inside.countDown();
                        try {
                            release.await();
                        } catch (InterruptedException e) {
                            return;
                        }
                        left.countDown();
                    }

                    @Override
                    public void failed(Throwable cause, Object none) {}
                });
                ends.server().write(bytes(1)).get();
            }
            assertTrue(inside.await(20, TimeUnit.SECONDS), "all of them run at once");
            Ends another = connectAsync(group, null);
            Completion<Integer> read = new Completion<>();
            another.client().read(ByteBuffer.allocate(1), read, read);
            another.server().write(bytes(1)).get();
            assertEquals(1, read.value());
        } finally {
            release.countDown();
        }
        assertTrue(left.await(20, TimeUnit.SECONDS));
    }

    @Test
    void handlersThatCompleteAtOnceDoNotOverflowTheStack() throws Exception {
        Ends ends = connectAsync(openClientGroup(1), null);
        AtomicInteger left = new AtomicInteger(200_000);
        Completion<Integer> done = new Completion<>();
        ends.client().write(bytes(), null, new CompletionHandler<Integer, Object>() {
            @Override
            public void completed(Integer count, Object none) {
                if (left.decrementAndGet() > 0) {
                    ends.client().write(bytes(), null, this);
                } else {
                    ends.client().write(bytes(), done, done);
                }
            }

            @Override
            public void failed(Throwable cause, Object none) {
                done.failed(cause, done);
            }
        });
        assertEquals(0, done.value());
    }

    @Test
    void aHandlerThatFailsEndsItsThreadAndAnotherOneTakesItsPlace() throws Exception {
        Threads threads = new Threads();
        AsynchronousChannelGroup group = provider().openAsynchronousChannelGroup(1, threads);
        closeLater(group::shutdownNow);
        Thread last = null;
        for (int i = 0; i < 3; i++) {
            Ends ends = connectAsync(group, null);
            ends.client().read(ByteBuffer.allocate(1), null, new CompletionHandler<Integer, Object>() {
                @Override
                public void completed(Integer count, Object none) {
                    throw new IllegalStateException("the handler's own");
                }

                @Override
                public void failed(Throwable cause, Object none) {}
            });
            ends.server().write(bytes(1)).get();
            Completion<Integer> read = new Completion<>();
            while (true) {
                try {
                    ends.client().read(ByteBuffer.allocate(1), read, read);
                    break;
                } catch (ReadPendingException e) {
                    Thread.onSpinWait();
                }
            }
            ends.server().write(bytes(1)).get();
            assertEquals(1, read.value());
            last = read.caller();
        }
        assertEquals(4, threads.made.size());
        for (Thread each : threads.made) {
            if (!last.equals(each)) {
                each.join();
            }
        }
        synchronized (threads.uncaught) {
            assertEquals(3, threads.uncaught.size());
            assertEquals("the handler's own", threads.uncaught.get(0).getMessage());
        }
    }

    @Test
    void aGroupThatIsShutDownTakesNoChannelsAndEndsWithItsLastOne() throws Exception {
        AsynchronousChannelGroup group = openClientGroup(2);
        Ends ends = connectAsync(group, null);
        assertFalse(group.isShutdown());
        group.shutdown();
        group.shutdown();
        assertTrue(group.isShutdown());
        assertFalse(group.isTerminated());
        assertThrows(ShutdownChannelGroupException.class, () -> openAsyncClient(group));
        assertFalse(group.awaitTermination(10, TimeUnit.MILLISECONDS));
        Completion<Integer> read = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), read, read);
        ends.server().write(bytes(1)).get();
        assertEquals(1, read.value());
        ends.client().close();
        assertTrue(group.awaitTermination(20, TimeUnit.SECONDS));
        assertTrue(group.isTerminated());
        Future<Integer> late = ends.client().read(ByteBuffer.allocate(1));
        assertTrue(late.isDone());
        Completion<Integer> never = new Completion<>();
        assertThrows(
                ShutdownChannelGroupException.class, () -> ends.client().read(ByteBuffer.allocate(1), never, never));
    }

    @Test
    void shutdownNowClosesTheChannels() throws Exception {
        AsynchronousChannelGroup clients = openClientGroup(2);
        AsynchronousChannelGroup servers = openServerGroup(1);
        Ends ends = connectAsync(clients, servers);
        AsynchronousServerSocketChannel listener = openAsyncServer(servers).bind(atServer(0));
        Completion<Integer> read = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), read, read);
        Completion<AsynchronousSocketChannel> accept = new Completion<>();
        listener.accept(accept, accept);
        clients.shutdownNow();
        servers.shutdownNow();
        assertEquals("AsynchronousCloseException: null", read.failure());
        assertEquals("AsynchronousCloseException: null", accept.failure());
        assertFalse(ends.server().isOpen());
        assertFalse(listener.isOpen());
        assertTrue(clients.awaitTermination(20, TimeUnit.SECONDS));
        assertTrue(servers.awaitTermination(20, TimeUnit.SECONDS));
    }

    @Test
    void aCloseByAHandlerCallsNoHandlerItself() throws Exception {
        AsynchronousChannelGroup group = openClientGroup(1);
        Ends first = connectAsync(group, null);
        Ends second = connectAsync(group, null);
        AtomicInteger inside = new AtomicInteger();
        CompletableFuture<Integer> seen = new CompletableFuture<>();
        second.client().read(ByteBuffer.allocate(1), null, new CompletionHandler<Integer, Object>() {
            @Override
            public void completed(Integer count, Object none) {
                seen.complete(-1);
            }

            @Override
            public void failed(Throwable cause, Object none) {
                seen.complete(inside.get());
            }
        });
        first.client().read(ByteBuffer.allocate(1), null, new CompletionHandler<Integer, Object>() {
            @Override
            public void completed(Integer count, Object none) {
                inside.incrementAndGet();
                try {
                    second.client().close();
                } catch (IOException e) {
                    seen.completeExceptionally(e);
                }
                inside.decrementAndGet();
            }

            @Override
            public void failed(Throwable cause, Object none) {
                seen.completeExceptionally(cause);
            }
        });
        first.server().write(bytes(1)).get();
        assertEquals(0, seen.get(20, TimeUnit.SECONDS));
    }

    @Test
    void anEmptyGroupEndsAtOnce() throws Exception {
        AsynchronousChannelGroup group = openClientGroup(3);
        group.shutdown();
        assertTrue(group.awaitTermination(20, TimeUnit.SECONDS));
    }

    @Test
    void aServerWhoseGroupIsShutDownAcceptsNothing() throws Exception {
        assumeConnectsBeforeAccept();
        AsynchronousChannelGroup group = openServerGroup(1);
        AsynchronousServerSocketChannel listener = openAsyncServer(group).bind(atServer(0));
        Completion<AsynchronousSocketChannel> accept = new Completion<>();
        listener.accept(accept, accept);
        group.shutdown();
        AsynchronousSocketChannel client = openAsyncClient(null);
        client.connect(listener.getLocalAddress()).get(20, TimeUnit.SECONDS);
        assertEquals("IOException: java.nio.channels.ShutdownChannelGroupException", accept.failure());
        assertNotEquals(1, client.read(ByteBuffer.allocate(1)).get(20, TimeUnit.SECONDS));
    }

    @Test
    void anInterruptOfAHandlerDoesNotClosePendingChannels() throws Exception {
        AsynchronousChannelGroup group = openClientGroup(1);
        Ends first = connectAsync(group, null);
        Ends second = connectAsync(group, null);
        Completion<Integer> waits = new Completion<>();
        second.client().read(ByteBuffer.allocate(1), waits, waits);
        Completion<Integer> read = new Completion<>();
        first.client().read(ByteBuffer.allocate(1), null, new CompletionHandler<Integer, Object>() {
            @Override
            public void completed(Integer count, Object none) {
                Thread.currentThread().interrupt();
                read.completed(count, read);
            }

            @Override
            public void failed(Throwable cause, Object none) {
                read.failed(cause, read);
            }
        });
        first.server().write(bytes(1)).get();
        assertEquals(1, read.value());
        second.server().write(bytes(1)).get();
        assertEquals(1, waits.value());
    }

    @Test
    void invalidGroups() throws Exception {
        assertThrows(
                IllegalArgumentException.class,
                () -> provider().openAsynchronousChannelGroup(0, Executors.defaultThreadFactory()));
        assertThrows(NullPointerException.class, () -> provider().openAsynchronousChannelGroup(1, null));
        assertThrows(NullPointerException.class, () -> provider().openAsynchronousChannelGroup(null, 1));
        AsynchronousChannelProvider other =
                AsynchronousProviders.of(Providers.JDK.equals(pairing.client()) ? Providers.PIPEDEVICE : Providers.JDK);
        AsynchronousChannelGroup strange = other.openAsynchronousChannelGroup(1, Executors.defaultThreadFactory());
        closeLater(strange::shutdownNow);
        assertThrows(IllegalChannelGroupException.class, () -> openAsyncClient(strange));
    }
}
