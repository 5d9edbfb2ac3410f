// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.linux.UnixSocket.Rung;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * One side of what joins a client process with a listener of a server process, and carries all connections between them:
 * a memory of each side, and a Unix socket that tells of bells and larger rings and, by its end, of the peer's death.
 *
 * <p>Thread safe: everything below is guarded by the lock, except what says otherwise. While it is held no other lock is
 * taken but those of the sweeper and of the budget, under which no other is, and nobody is woken. A link ends by itself when
 * it can serve nobody any more: then its memory is unmapped.
 */
public final class PeerLink implements RingLink {
    private static final LazyLogger LOG = new LazyLogger(PeerLink.class);

    /** One way to connect, under the link's lock. */
    private interface Connecting {
        PeerSocket connect() throws PeerRefusal;
    }

    private static final int OWN_PID = ProcessFacts.self();

    /** Closed sockets that are looked at when a larger ring is wanted, which they may have. */
    private static final int LOOKS = 16;

    /** Closed sockets that one sweep looks at. */
    private static final int LOOKS_OF_SWEEP = 256;

    /** Closed sockets that are looked at for each that is accepted, so that they become fewer. */
    private static final int LOOKS_AT_ACCEPT = 2;

    /** Mappings of each link. */
    private static final int MEMORIES = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final PeerNetwork network;
    private final LinkParts parts;

    private final UnixSocket.Credentials peerCredentials;

    private final LinkMemory own;
    private final LinkMemory peer;
    private final LinkSockets sockets = new LinkSockets();
    private final LinkTalk talk;
    private final LinkReadySets readySets;

    /** Whose streams went through wide rings when it was swept last, or have since. */
    private final Set<PeerSender> wide = new HashSet<>();

    private final WakeUpCost wakeUpCost = new WakeUpCost();

    /** What this process holds on account of the peer's. */
    private final PeerBudget.Share share;

    /** Whether the memories of this link are counted in it. */
    private final boolean affordable;

    /** Most connections that the peer has had at the same time. */
    private int mostConnections;

    /** Asks the kernel whether the peer is gone, of which the watching thread may not have told yet. */
    private final Poll departure = new Poll(1);

    /** The client's part; null at the server. */
    private final Connector connector;

    /** The server's part and whose it is; both null at the client. */
    private final AcceptRing acceptRing;

    private final PeerListener listener;

    /** Whether the listener still takes connections from here. */
    private boolean listening;

    private FdWatch watch;
    private long overflows;

    /** Changed under the lock; any thread reads it. The memories are unmapped then, and every access throws. */
    private volatile boolean ended;

    private volatile boolean broken;

    /** Whether a sweep will come that has not begun, so that it finds what anybody has left for it by now. Any thread. */
    private volatile boolean sweepAhead;

    /** Null until this side gives the link up, which is then broken; set under the lock. */
    private volatile String whyGivenUp;

    /** Whether the log says already that the peer breaks the protocol. */
    private boolean suspected;

    /** A side of a link: the server's if it has a listener. It takes the parts over. */
    PeerLink(PeerNetwork network, LinkParts parts, PeerListener listener) {
        this.network = network;
        this.parts = parts;
        this.listener = listener;
        peerCredentials = parts.peerCredentials();
        own = new LinkMemory(parts.own().memory());
        peer = new LinkMemory(parts.peer().memory());
        LinkPages pages = new LinkPages(parts.own(), parts.peer());
        share = PeerBudget.PROCESS.share(pid());
        affordable = share.map(MEMORIES);
        readySets = new LinkReadySets(this, pages);
        talk = new LinkTalk(this, parts, readySets, share);
        own.setRelease(LinkMemoryDescriptor.KEEPS_PORTS_OFFSET, talk.keepsPorts());
        connector = listener == null ? new Connector(this, pages, sockets, talk::showPort) : null;
        acceptRing = listener == null
                ? null
                : new AcceptRing(this, pages, sockets, listener.address(), listener.backlog(), this::check);
        listening = listener != null;
        if (listener == null) {
            parts.peer().closeDescriptor();
        }
        departure.add(parts.socket().fd(), Poll.RDHUP);
    }

    private AcceptRing.Claim check(AcceptEntry entry) throws IOException {
        AcceptRing.Claim claim = talk.check(entry);
        if (claim == AcceptRing.Claim.FALSE) {
            network.forged();
        }
        return claim;
    }

    /** The peer's process, or 0 if that is in another PID namespace. */
    int pid() {
        return peerCredentials.pid();
    }

    /** Who connected, or listened. */
    UnixSocket.Credentials peerCredentials() {
        return peerCredentials;
    }

    /** Whether the budget has room for this link. */
    boolean isAffordable() {
        return affordable;
    }

    /** The most connections that the peer has had at a time so far: accepted ones, with those that wait to be. */
    int mostConnections() {
        assert isLocked();
        int waiting = acceptRing == null ? 0 : acceptRing.waitingAtMost();
        mostConnections = Math.max(mostConnections, sockets.openCount() + sockets.closingCount() + waiting);
        return mostConnections;
    }

    /** Whether this is a server's side whose client must show what ports it has. A process believes itself. */
    boolean isClientAnother() {
        return listener != null && network.checksClients() && !isWithinProcess();
    }

    /**
     * Whether both sides are this process's.
     *
     * @return false if the peer is another process, or one of another PID namespace
     */
    public boolean isWithinProcess() {
        return pid() == OWN_PID;
    }

    /** Begins to watch the peer. */
    void watch() throws LinuxException {
        lock.lock();
        try {
            watch = FdWatch.open(parts.socket().fd(), Epoll.IN | Epoll.RDHUP | Epoll.ET, this::heard);
        } finally {
            lock.unlock();
        }
    }

    /** What the peer tells is read by whoever needs it; what nobody needs, as the end of a ring, by the sweep. */
    private void heard(int events) {
        if (events == Epoll.IN) {
            sweepSoon();
        } else {
            peerIsGone();
        }
    }

    private void peerIsGone() {
        broken = true;
        wakeAll();
        if (listener != null) {
            listener.lost(this);
        }
        lock.lock();
        try {
            endIfUnused();
        } finally {
            lock.unlock();
        }
    }

    private void wakeAll() {
        List<PeerSocket> all;
        lock.lock();
        try {
            all = sockets.all();
        } finally {
            lock.unlock();
        }
        all.forEach(socket -> socket.watchers.wake());
    }

    /**
     * Connects. The connection can be written to at once; the server accepts it when it likes.
     *
     * @param from this end's address
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close
     * @throws PeerRefusal if it has to be left to the kernel
     */
    public PeerSocket connect(InetSocketAddress from, InetSocketAddress to) throws PeerRefusal {
        return connect(from, null, to);
    }

    /**
     * Connects from the address of an earlier connection that was closed at both ends, and whose port the server keeps.
     *
     * @param source what the address may be
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close; null if there is no such address
     * @throws PeerRefusal if it has to be left to the kernel
     */
    public PeerSocket connectAgain(InetAddress source, InetSocketAddress to) throws PeerRefusal {
        return connect(source, () -> connector.connectAgain(source, to), to);
    }

    /**
     * Connects as {@link #connect(InetSocketAddress, InetSocketAddress)}, and shows the server that this process has the
     * address.
     *
     * @param from this end's address
     * @param port the socket that holds it; it stays the caller's
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close
     * @throws PeerRefusal if it has to be left to the kernel
     */
    public PeerSocket connect(InetSocketAddress from, Fd port, InetSocketAddress to) throws PeerRefusal {
        Fd shown = isWithinProcess() ? null : port;
        return connect(from.getAddress(), () -> connector.connect(from, shown, to), to);
    }

    private PeerSocket connect(InetAddress source, Connecting connecting, InetSocketAddress to) throws PeerRefusal {
        if (source.getClass() != to.getAddress().getClass()) {
            throw new IllegalArgumentException("from " + source + " to " + to);
        }
        PeerSocket socket;
        long word;
        lock.lock();
        try {
            if (broken || ended) {
                throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "the listener is gone");
            }
            try {
                socket = connecting.connect();
            } finally {
                endIfUnused();
            }
            word = socket == null ? PeerArmWord.DISARMED : connector.armToRing();
        } finally {
            lock.unlock();
        }
        if (word != PeerArmWord.DISARMED) {
            ReadyWriter.Told told = tell(word);
            if (told != ReadyWriter.Told.TOLD) {
                ring(word, told);
            }
        }
        return socket;
    }

    /**
     * Whether connections can be made: the client's question. A server that was killed has not said that it listens no
     * more, and this process may have been stopped meanwhile, with its watching thread.
     */
    boolean isListening() {
        lock.lock();
        try {
            if (!broken && !ended && isPeerGone()) {
                broken = true;
            }
            boolean is = !broken && !ended && connector.isListening();
            if (!is) {
                endIfUnused();
            }
            return is;
        } finally {
            lock.unlock();
        }
    }

    private boolean isPeerGone() {
        try {
            return departure.await(0) > 0;
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "the link''s socket cannot be asked: {0}", e.getMessage());
            return true;
        }
    }

    /**
     * Takes a connection for the listener.
     *
     * @param patienceNanos how long to wait for the lock at most
     * @return null if none waits, or the lock is another thread's
     */
    PeerSocket accept(long patienceNanos) throws IOException {
        if (!tryLock(patienceNanos)) {
            return null;
        }
        try {
            if (ended || whyGivenUp != null || !listening) {
                return null;
            }
            reclaim(LOOKS_AT_ACCEPT);
            return acceptRing.take();
        } finally {
            lock.unlock();
        }
    }

    private boolean tryLock(long patienceNanos) {
        if (lock.tryLock()) {
            return true;
        }
        try {
            return patienceNanos > 0 && lock.tryLock(patienceNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether this is a link of a listener's. */
    boolean isOf(PeerListener asked) {
        return listener == asked;
    }

    /** Whether a connection waits to be accepted. Any thread; takes no lock. */
    boolean isWaiting() {
        try {
            return !ended && whyGivenUp == null && acceptRing.isWaiting();
        } catch (IllegalStateException e) {
            return notUnlessEnded(e);
        }
    }

    /** Whether the client was on a processor when it last connected; a hint. Any thread; takes no lock. */
    boolean wasPostedFrom(int processor) {
        try {
            return !ended
                    && peer.getAcquire(LinkMemoryDescriptor.POSTED_FROM_OFFSET) == PeerSlot.processorWord(processor);
        } catch (IllegalStateException e) {
            return notUnlessEnded(e);
        }
    }

    /** The answer of a link whose memory was unmapped in the middle of the question. */
    private boolean notUnlessEnded(IllegalStateException e) {
        if (!ended) {
            throw e;
        }
        return false;
    }

    /**
     * Arms the accept ring, without waiting for the lock. The caller sees to it that one thread arms or disarms at a time.
     *
     * @return false if the peer cannot be told of the bell now
     */
    boolean arm(Bell bell, long generation, int cookie) {
        int number = broken || ended ? NO_BELL : talk.knownNumber(bell);
        if (number == NO_BELL) {
            if (!lock.tryLock()) {
                return false;
            }
            try {
                number = numberOf(bell);
            } finally {
                lock.unlock();
            }
        }
        return !armWith(PeerArmWord.of(number, generation, cookie)) || number != NO_BELL;
    }

    /** Disarms the accept ring, as {@link #arm}. */
    void disarm() {
        armWith(PeerArmWord.DISARMED);
    }

    /** False if the link has ended. */
    private boolean armWith(long word) {
        try {
            if (!ended) {
                acceptRing.arm(word);
            }
            return !ended;
        } catch (IllegalStateException e) {
            return notUnlessEnded(e);
        }
    }

    /** The listener takes no connection from here any more: those that wait are reset. */
    void stopListening() {
        lock.lock();
        try {
            if (!ended) {
                acceptRing.stop();
            }
        } catch (IOException e) {
            giveUp("no memory to refuse connections: " + e.getMessage());
        } finally {
            listening = false;
            try {
                endIfUnused();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Takes a link out of use whose peer does what it must not, or from which this side cannot take what it must: nobody
     * knows any more what its connections would have carried, so all are reset, at both ends.
     */
    @Override
    public void giveUp(String why) {
        if (whyGivenUp == null && !ended) {
            LOG.get().log(Level.WARNING, "the link with process {0} is given up: {1}", Long.toString(pid()), why);
            own.setRelease(LinkMemoryDescriptor.GIVEN_UP_OFFSET, 1);
            // In this order: who finds the link broken finds out why.
            whyGivenUp = why;
        }
        abandon();
    }

    @Override
    public String whyGivenUp() {
        return whyGivenUp;
    }

    /** One line in the log for each link: a peer could cause any number. */
    @Override
    public void suspect(String how) {
        lock.lock();
        try {
            if (!suspected) {
                LOG.get().log(Level.WARNING, "process {0} breaks the protocol: {1}", Long.toString(pid()), how);
            }
            suspected = true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the link out of use; the watching thread tells everybody. Any thread. */
    void abandon() {
        broken = true;
        parts.hangUp();
    }

    /** Takes the link out of use, as the end of this process would. */
    void close() {
        abandon();
        lock.lock();
        try {
            listening = false;
            endIfUnused();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public LinkMemory own() {
        return own;
    }

    @Override
    public LinkMemory peer() {
        return peer;
    }

    @Override
    public WakeUpCost wakeUpCost() {
        return wakeUpCost;
    }

    @Override
    public boolean isBroken() {
        return broken;
    }

    @Override
    public int numberOf(Bell bell) {
        int known = broken || ended ? NO_BELL : talk.knownNumber(bell);
        if (known != NO_BELL) {
            return known;
        }
        lock.lock();
        try {
            return broken || ended ? NO_BELL : talk.numberOf(bell);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ReadyWriter.Told tell(long armWord) {
        try {
            return readySets.writer().tell(armWord);
        } catch (IllegalStateException e) {
            notUnlessEnded(e);
            return ReadyWriter.Told.NOT;
        }
    }

    @Override
    public ReadyReader readyReader(Bell bell) {
        if (!lock.tryLock()) {
            return null;
        }
        try {
            int number = broken || ended ? NO_BELL : talk.knownNumber(bell);
            return number == NO_BELL ? null : readySets.reader(number);
        } finally {
            lock.unlock();
        }
    }

    /** Any thread; takes the lock only for a bell that it does not know, and for one that is full. */
    @Override
    public void ring(long armWord, ReadyWriter.Told told) {
        int number = PeerArmWord.bell(armWord);
        UnixSocket bell = talk.knownBell(number);
        Rung rung = bell == null ? Rung.GONE : ring(bell, armWord);
        if (rung == Rung.GONE) {
            UnixSocket replaced = learn(armWord, bell);
            if (replaced == null || replaced == bell) {
                // Its owner is gone, or does not want to be rung.
                return;
            }
            bell = replaced;
            rung = ring(bell, armWord);
        }
        if (rung == Rung.FULL) {
            overflowed();
            VarHandle.fullFence();
            ring(bell, armWord);
        }
        if (told == ReadyWriter.Told.NOT) {
            tellRung(armWord);
        }
    }

    private void tellRung(long armWord) {
        try {
            readySets.writer().tellRung(armWord);
        } catch (IllegalStateException e) {
            notUnlessEnded(e);
        }
    }

    private Rung ring(UnixSocket bell, long armWord) {
        long state = stateOfPoller(armWord);
        Rung rung = bell.ring(PeerArmWord.cookie(armWord));
        if (rung == Rung.SENT) {
            readySets.writer().rung(armWord, state);
        }
        return rung;
    }

    private long stateOfPoller(long armWord) {
        try {
            return readySets.writer().state(armWord);
        } catch (IllegalStateException e) {
            notUnlessEnded(e);
            return ReadySetDescriptor.UNREAD;
        }
    }

    private void overflowed() {
        lock.lock();
        try {
            if (!ended) {
                own.setRelease(LinkMemoryDescriptor.OVERFLOW_OFFSET, ++overflows);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The bell of an arm word, if the peer has told of it meanwhile; if that has to wait, it is rung later.
     *
     * @param before what was known by its number and is gone; null if nothing was
     */
    private UnixSocket learn(long armWord, UnixSocket before) {
        int number = PeerArmWord.bell(armWord);
        search(() -> {
            UnixSocket bell = talk.knownBell(number);
            return bell != null && bell != before;
        });
        lock.lock();
        try {
            if (ended) {
                return null;
            }
            UnixSocket bell = talk.knownBell(number);
            if ((bell == null || bell == before) && talk.shortage().isPresent()) {
                talk.shortage().owe(armWord);
                awaitDescriptors();
            }
            return bell;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads what the peer has told until something is known or there is no more, a turn at a time, so that other threads can
     * take the lock meanwhile.
     */
    private void search(BooleanSupplier known) {
        boolean goesOn = true;
        for (int turn = 0; goesOn; turn++) {
            lock.lock();
            try {
                goesOn = !ended && !known.getAsBoolean() && talk.read();
                if (goesOn && turn == LinkTalk.TURNS_OF_SEARCH) {
                    giveUp("a flood of messages");
                    goesOn = false;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public int shortage() {
        return talk.shortage().present();
    }

    @Override
    public SendRing takeRing(int size) {
        lock.lock();
        try {
            reclaim(LOOKS);
            return broken || ended ? null : talk.takeRing(size);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void giveRing(SendRing ring) {
        lock.lock();
        try {
            if (!ended) {
                talk.giveRing(ring);
                sweepSoon();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void widened(PeerSender sender) {
        lock.lock();
        try {
            if (!ended) {
                wide.add(sender);
                sweepSoon();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ByteBuffer peerRing(int number, int size) throws PdException {
        search(() -> talk.knowsRing(number));
        lock.lock();
        try {
            PeerRing ring = knownRing(number, size);
            return ring == null ? null : ring.region.memory().asByteBuffer();
        } finally {
            lock.unlock();
        }
    }

    private PeerRing knownRing(int number, int size) throws PdException {
        if (ended) {
            throw new PdException(Errno.EBADF, "the link has ended");
        }
        PeerRing ring = talk.peerRing(number, size);
        if (ring == null) {
            awaitDescriptors();
        }
        sweepWhileNeeded(false);
        // To look for it the link was listened to, and may have been given up for what it said.
        if (whyGivenUp != null) {
            throw new PdException(Errno.EPROTO, whyGivenUp);
        }
        return ring;
    }

    @Override
    public PeerRing holdRing(int number, int size) throws PdException {
        search(() -> talk.knowsRing(number));
        lock.lock();
        try {
            PeerRing ring = knownRing(number, size);
            if (ring == null) {
                // Whoever wants to hold a ring has entered it before.
                throw new PdException(Errno.EPROTO, "the peer took back a ring in use");
            }
            ring.holders++;
            return ring;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void letGo(PeerRing ring) {
        lock.lock();
        try {
            talk.letGo(ring);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void forgetRings() {
        lock.lock();
        try {
            if (!ended) {
                sweepWhileNeeded(talk.forgetRings());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void closed(PeerSocket socket) {
        lock.lock();
        try {
            if (sockets.closed(socket)) {
                giveBack(socket);
            }
            boolean unread = talk.forgetRings();
            endIfUnused();
            sweepWhileNeeded(unread);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives back what is not needed any more, as far as the peer is ready for it. The sweeper's thread.
     *
     * @return whether there may be messages to {@link #hear}
     */
    boolean sweep() {
        // In this order: what is left for a sweep after this one has looked brings about another.
        sweepAhead = false;
        // Not all at once: programs connect meanwhile.
        for (int left = Math.min(LOOKS_OF_SWEEP, closingCount()); left > 0; left -= LOOKS) {
            sweepClosing(Math.min(LOOKS, left));
        }
        boolean unread = hear();
        sweepTalk();
        return unread;
    }

    /**
     * Reads a turn of messages. The sweeper's thread.
     *
     * @return whether there may be more
     */
    boolean hear() {
        boolean unread;
        List<Long> owed;
        lock.lock();
        try {
            unread = !ended && talk.read();
            owed = ended ? null : talk.shortage().takeEnd();
        } finally {
            lock.unlock();
        }
        // What is to be rung if it was the end of a shortage.
        if (owed != null) {
            wakeAll();
            owed.forEach(this::ringLate);
        }
        return unread;
    }

    private void sweepTalk() {
        lock.lock();
        try {
            if (!ended) {
                wide.removeIf(PeerSender::leaveIfIdle);
                talk.sweep();
                endIfUnused();
                sweepWhileNeeded(false);
            }
        } finally {
            lock.unlock();
        }
    }

    /** More than one socket may have been rung for: the bell's owner looks at all, which a cookie would keep it from. */
    private void ringLate(long armWord) {
        UnixSocket bell = learn(armWord, null);
        if (bell != null) {
            overflowed();
            VarHandle.fullFence();
            bell.ring(UnixSocket.NO_COOKIE);
            loseRung(armWord);
        }
    }

    private void loseRung(long armWord) {
        try {
            readySets.writer().loseRung(armWord);
        } catch (IllegalStateException e) {
            notUnlessEnded(e);
        }
    }

    private int closingCount() {
        lock.lock();
        try {
            return sockets.closingCount();
        } finally {
            lock.unlock();
        }
    }

    private void sweepClosing(int looks) {
        lock.lock();
        try {
            if (!ended) {
                reclaim(looks);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Has this swept if there is something to give back, or to be read. */
    private void sweepWhileNeeded(boolean unread) {
        if (!ended
                && (unread
                        || sockets.closingCount() > 0
                        || !wide.isEmpty()
                        || talk.hasFreeRings()
                        || talk.shortage().isPresent())) {
            sweepSoon();
        }
    }

    /**
     * Has this swept soon, if it would not be anyway: one look at a flag for who closes many sockets. False if there is no
     * thread for it. Any thread.
     */
    boolean sweepSoon() {
        if (!sweepAhead) {
            sweepAhead = true;
            if (!network.sweeper().later(this)) {
                sweepAhead = false;
                return false;
            }
        }
        return true;
    }

    /** The sweep tells those who wait for descriptors when there are some: without it they would wait for ever. */
    private void awaitDescriptors() {
        if (!sweepSoon()) {
            giveUp("there is neither a descriptor nor a thread to be had");
            talk.shortage().end();
        }
    }

    private void giveBack(PeerSocket over) {
        if (connector != null) {
            connector.giveBack(over.slot());
        }
    }

    private void reclaim(int looks) {
        assert isLocked();
        for (int i = Math.min(looks, sockets.closingCount()); i > 0; i--) {
            PeerSocket over = sockets.reclaim();
            if (over != null) {
                giveBack(over);
            }
        }
    }

    /** Whether the calling thread holds the lock. */
    boolean isLocked() {
        return lock.isHeldByCurrentThread();
    }

    /** Ends the link if no connection uses it and none ever will. */
    private void endIfUnused() {
        assert isLocked();
        if (ended || sockets.openCount() > 0 || listening) {
            return;
        }
        if (connector != null ? broken || !connector.isListening() : broken || isReleasedByPeer()) {
            end();
        }
    }

    /** Whether the client has closed all connections; while it has not, the end of the link would look like a death. */
    private boolean isReleasedByPeer() {
        reclaim(sockets.closingCount());
        return sockets.closingCount() == 0;
    }

    private void end() {
        ended = true;
        broken = true;
        if (watch != null) {
            watch.close();
        }
        talk.close();
        parts.close();
        if (affordable) {
            share.unmap(MEMORIES);
        }
        share.close();
        network.ended(this);
    }
}
