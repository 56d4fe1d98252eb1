package io.delayjob.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A network between a client and a database server that a test can break. It listens on a port of its own of the
 * loopback interface and passes on what it gets, in both directions, until it is told otherwise:
 *
 * <table>
 * <caption>Faults</caption>
 * <tr><td>{@link #cut()}</td><td>every connection is reset, as by a server that is killed</td></tr>
 * <tr><td>{@link #refuse()}, {@link #accept()}</td><td>new connections are reset at once, old ones go on</td></tr>
 * <tr><td>{@link #stall}, {@link #resume()}</td><td>bytes are held back, of old connections and of new ones; nothing is
 *     closed: a network that loses packets</td></tr>
 * <tr><td>{@link #strand()}</td><td>the connections that are open now fall silent for ever, new ones work: a fail-over,
 * or a firewall that forgot</td></tr>
 * <tr><td>{@link #moveTo}</td><td>new connections reach another server, old ones stay: a name that points elsewhere
 * now</td></tr>
 * <tr><td>{@link #atCommit}, {@link #atStatement}</td><td>something happens to one connection, once, at one
 * message</td></tr>
 * </table>
 *
 * <p>Only the last row needs to understand what passes, which is PostgreSQL's protocol without encryption; any other is
 * passed on as it is. Thread-safe. Closing it resets all connections.
 */
public final class TestProxy implements AutoCloseable {

    /** Where bytes go. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    /** What becomes of one request, or of the answer to it. */
    public enum Effect {
        /** The server has done it, but the client is reset before it hears so. */
        LOSE_ANSWER,
        /** The server has done it, and the client waits for the answer until {@link TestFault#release()}. */
        HOLD_ANSWER,
        /** Client and server are reset before the server gets the request. */
        LOSE_REQUEST,
        /**
         * The client is reset at once, but the server gets the request, at {@link TestFault#release()}: it was on its
         * way.
         */
        DELAY_REQUEST
    }

    /**
     * What has taken effect since the proxy was made.
     *
     * @param accepted connections that reached the server
     * @param refused connections that were reset before
     * @param cut connections that were reset by {@link #cut()}
     * @param held how often a connection's bytes were held back by a stall
     * @param faults one-shot faults that have happened
     */
    public record Counts(long accepted, long refused, long cut, long held, long faults) {}

    private static final int POSTGRESQL_PORT = 5432;
    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

    private volatile InetSocketAddress target;
    private final ServerSocket listener;
    private final List<TestProxyLink> links = new CopyOnWriteArrayList<>();
    private final List<TestFault> armed = new CopyOnWriteArrayList<>();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong cut = new AtomicLong();
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong faults = new AtomicLong();
    private final ReentrantLock gate = new ReentrantLock();
    private final Condition gateChanged = gate.newCondition();
    private final Set<Direction> stalled = EnumSet.noneOf(Direction.class);
    private volatile boolean refusing;

    private TestProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        start("test-proxy-" + listener.getLocalPort(), this::acceptAll);
    }

    /** A proxy before the server on this host and port, which need not run yet. */
    public static TestProxy to(String host, int port) {
        try {
            return new TestProxy(new InetSocketAddress(host, port));
        } catch (IOException noPort) {
            throw new UncheckedIOException("No port to listen on for a proxy before " + host + ":" + port, noPort);
        }
    }

    /** A proxy before the server that a JDBC URL names. */
    public static TestProxy before(String jdbcUrl) {
        URI server = withoutPrefix(jdbcUrl);
        return to(server.getHost(), server.getPort() < 0 ? POSTGRESQL_PORT : server.getPort());
    }

    /** The URL of the same database, by way of this proxy. */
    public String through(String jdbcUrl) {
        return jdbcUrl.replace(withoutPrefix(jdbcUrl).getAuthority(), host() + ":" + port());
    }

    private static URI withoutPrefix(String jdbcUrl) {
        return URI.create(jdbcUrl.substring("jdbc:".length()));
    }

    /** Where it listens, on the loopback interface. */
    public int port() {
        return listener.getLocalPort();
    }

    /** The host to connect to. */
    public String host() {
        return listener.getInetAddress().getHostAddress();
    }

    /** Resets all connections. @return how many there were */
    public int cut() {
        int count = 0;
        for (TestProxyLink link : links) {
            if (link.reset()) {
                count++;
            }
        }
        cut.addAndGet(count);
        return count;
    }

    /** Resets new connections, before a byte was exchanged, until {@link #accept()}. */
    public void refuse() {
        refusing = true;
    }

    /** Passes new connections on again. */
    public void accept() {
        refusing = false;
    }

    /** Passes new connections on to another server. */
    public void moveTo(String host, int port) {
        target = new InetSocketAddress(host, port);
    }

    /** Holds all bytes back that go this way, until {@link #resume()}. */
    public void stall(Direction direction) {
        change(() -> stalled.add(direction));
    }

    /** Holds all bytes back until {@link #resume()}. */
    public void stall() {
        change(() -> stalled.addAll(EnumSet.allOf(Direction.class)));
    }

    /** Ends all stalls; what was held back goes on. Connections that were stranded remain so. */
    public void resume() {
        change(stalled::clear);
    }

    /** Lets the connections of this moment fall silent for ever, without closing them. @return how many there were */
    public int strand() {
        List<TestProxyLink> open = List.copyOf(links);
        change(() -> open.forEach(TestProxyLink::strand));
        return open.size();
    }

    /**
     * At the next commit of a transaction in which a statement holds {@code text}, in any case; a statement outside any
     * transaction that writes is a transaction of its own.
     *
     * @param text empty for any transaction
     */
    public TestFault atCommit(String text, Effect effect) {
        return arm(new TestFault(true, text, effect));
    }

    /** At the next statement that holds {@code text}, in any case. */
    public TestFault atStatement(String text, Effect effect) {
        return arm(new TestFault(false, text, effect));
    }

    private TestFault arm(TestFault fault) {
        armed.add(fault);
        return fault;
    }

    /** Takes back the one-shot faults that have not happened. */
    public void disarm() {
        armed.clear();
    }

    public Counts counts() {
        return new Counts(accepted.get(), refused.get(), cut.get(), held.get(), faults.get());
    }

    /** How many connections are open. */
    public int connections() {
        return links.size();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException alreadyGone) {
            throw new UncheckedIOException("The proxy on port " + port() + " did not close", alreadyGone);
        } finally {
            links.forEach(TestProxyLink::reset);
        }
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                start("test-proxy-" + port() + "-connect", () -> connect(client));
            } catch (IOException closed) {
                // Either the proxy was closed, which ends the loop, or a client was gone before it was accepted.
                continue;
            }
        }
    }

    private void connect(Socket client) {
        if (refusing) {
            refused.incrementAndGet();
            TestProxyLink.reset(client);
            return;
        }
        Socket server = new Socket();
        try {
            server.connect(target, CONNECT_TIMEOUT_MILLIS);
            TestProxyLink link = new TestProxyLink(this, client, server);
            links.add(link);
            accepted.incrementAndGet();
            link.start();
            if (listener.isClosed()) {
                link.reset();
            }
        } catch (IOException serverAway) {
            refused.incrementAndGet();
            TestProxyLink.reset(client);
            TestProxyLink.reset(server);
        }
    }

    /** Waits while bytes of this link may not go this way. */
    void pass(TestProxyLink link, Direction direction) {
        gate.lock();
        try {
            if (isHeld(link, direction)) {
                held.incrementAndGet();
            }
            while (isHeld(link, direction)) {
                gateChanged.awaitUninterruptibly();
            }
        } finally {
            gate.unlock();
        }
    }

    private boolean isHeld(TestProxyLink link, Direction direction) {
        return link.isOpen() && (link.isStranded() || stalled.contains(direction));
    }

    /** The fault that is armed for this message, which happens to it and to no other. */
    TestFault take(TestProxyTap.Request request) {
        Iterator<TestFault> candidates = armed.iterator();
        while (candidates.hasNext()) {
            TestFault fault = candidates.next();
            if (fault.strikes(request) && armed.remove(fault)) {
                return fault;
            }
        }
        return null;
    }

    void happened(TestFault fault) {
        faults.incrementAndGet();
        fault.happened();
    }

    void closed(TestProxyLink link) {
        links.remove(link);
        change(() -> {});
    }

    private void change(Runnable change) {
        gate.lock();
        try {
            change.run();
            gateChanged.signalAll();
        } finally {
            gate.unlock();
        }
    }

    static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
