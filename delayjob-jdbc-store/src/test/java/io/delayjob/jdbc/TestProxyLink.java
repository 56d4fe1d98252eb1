package io.delayjob.jdbc;

import io.delayjob.jdbc.TestProxy.Direction;
import io.delayjob.jdbc.TestProxy.Effect;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One client's connection through a {@link TestProxy}, with a thread for each direction. Thread-safe. */
final class TestProxyLink {

    private static final int CHUNK = 64 * 1024;

    private final TestProxy proxy;
    private final Socket client;
    private final Socket server;
    private final TestProxyTap tap = new TestProxyTap(this::strikes);
    private final AtomicBoolean open = new AtomicBoolean(true);
    private volatile boolean stranded;
    private volatile TestFault atAnswer;
    private TestFault atRequest;

    TestProxyLink(TestProxy proxy, Socket client, Socket server) throws SocketException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start() {
        TestProxy.start("test-proxy-" + proxy.port() + "-to-server", () -> pump(Direction.TO_SERVER, this::toServer));
        TestProxy.start("test-proxy-" + proxy.port() + "-to-client", () -> pump(Direction.TO_CLIENT, this::toClient));
    }

    boolean isOpen() {
        return open.get();
    }

    boolean isStranded() {
        return stranded;
    }

    void strand() {
        stranded = true;
    }

    /** Resets both ends. @return whether they were open */
    boolean reset() {
        return end(TestProxyLink::reset);
    }

    private boolean end(Consumer<Socket> closing) {
        boolean wasOpen = open.compareAndSet(true, false);
        closing.accept(client);
        closing.accept(server);
        if (wasOpen) {
            proxy.closed(this);
        }
        return wasOpen;
    }

    /** Closes a socket so that its peer is reset, whatever was under way. */
    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException alreadyGone) {
            // Somebody else was faster: the peer, or the other direction's thread.
            return;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // Somebody else was faster: the peer, or the other direction's thread.
            return;
        }
    }

    @FunctionalInterface
    private interface Pump {
        void run() throws IOException, InterruptedException;
    }

    private void pump(Direction direction, Pump pump) {
        try {
            pump.run();
        } catch (IOException gone) {
            // A stall holds back that a peer is gone, like anything else.
            proxy.pass(this, direction);
            reset();
        } catch (InterruptedException stopped) {
            reset();
        }
    }

    private void toServer() throws IOException, InterruptedException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] chunk = new byte[CHUNK];
        int length;
        while ((length = in.read(chunk)) >= 0) {
            proxy.pass(this, Direction.TO_SERVER);
            int struck = tap.read(chunk, length);
            if (struck < 0) {
                out.write(chunk, 0, length);
                continue;
            }
            out.write(chunk, 0, struck);
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.write(chunk, struck, length - struck);
            while (!tap.isSynced() && (length = in.read(chunk)) >= 0) {
                tap.read(chunk, length);
                request.write(chunk, 0, length);
            }
            if (!strike(atRequest, request.toByteArray(), out)) {
                return;
            }
            atRequest = null;
        }
        proxy.pass(this, Direction.TO_SERVER);
        server.shutdownOutput();
    }

    private void toClient() throws IOException, InterruptedException {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        byte[] chunk = new byte[CHUNK];
        int length;
        while ((length = in.read(chunk)) >= 0) {
            proxy.pass(this, Direction.TO_CLIENT);
            TestFault fault = atAnswer;
            if (fault == null) {
                out.write(chunk, 0, length);
                continue;
            }
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            answer.write(chunk, 0, length);
            while (!isComplete(answer.toByteArray()) && (length = in.read(chunk)) >= 0) {
                answer.write(chunk, 0, length);
            }
            fault.answered();
            if (fault.effect() != Effect.DELAY_REQUEST) {
                proxy.happened(fault);
            }
            if (fault.effect() != Effect.HOLD_ANSWER) {
                reset();
            }
            fault.awaitRelease(this);
            atAnswer = null;
            out.write(answer.toByteArray());
        }
        proxy.pass(this, Direction.TO_CLIENT);
        end(TestProxyLink::close);
    }

    private boolean strikes(TestProxyTap.Request request) {
        if (atRequest != null) {
            return false;
        }
        atRequest = proxy.take(request);
        return atRequest != null;
    }

    /** Lets the fault happen to a request. @return whether the connection goes on */
    private boolean strike(TestFault fault, byte[] request, OutputStream out) throws IOException, InterruptedException {
        switch (fault.effect()) {
            case LOSE_ANSWER, HOLD_ANSWER -> {
                atAnswer = fault;
                out.write(request);
                return true;
            }
            case LOSE_REQUEST -> {
                proxy.happened(fault);
                reset();
                return false;
            }
            case DELAY_REQUEST -> {
                // For the client it is over; the other direction's thread ends the connection with the server's answer.
                atAnswer = fault;
                proxy.happened(fault);
                reset(client);
                fault.awaitRelease(this);
                out.write(request);
                return false;
            }
        }
        throw new AssertionError(fault);
    }

    /** Whether PostgreSQL has answered all of a request: the last message says that it is ready for the next one. */
    private static boolean isComplete(byte[] answer) {
        int last = answer.length - 6;
        return last >= 0
                && answer[last] == 'Z'
                && answer[last + 1] == 0
                && answer[last + 2] == 0
                && answer[last + 3] == 0
                && answer[last + 4] == 5;
    }
}
