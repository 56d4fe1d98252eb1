package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.jdbc.TestProxy.Effect;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The test proxy's faults, before a server that sends back what it gets. */
@Timeout(30)
class ProxyTest {

    private static final int SILENCE_MILLIS = 50;

    private ServerSocket server;
    private TestProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        proxy = TestProxy.to(server.getInetAddress().getHostAddress(), server.getLocalPort());
        TestProxy.start("echo", this::echo);
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    private void echo() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                TestProxy.start("echo-connection", () -> {
                    try (socket) {
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    } catch (IOException reset) {
                        // What the tests are about.
                        return;
                    }
                });
            } catch (IOException closed) {
                return;
            }
        }
    }

    private Socket connect() throws IOException {
        return new Socket(proxy.host(), proxy.port());
    }

    private static void send(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
    }

    private static void assertEchoes(Socket socket, int value) throws IOException {
        send(socket, value);
        assertThat(socket.getInputStream().read()).isEqualTo(value);
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(0);
    }

    /** The proxy counts, and tells nobody: so it is asked again and again. */
    private synchronized void awaitHeld() throws InterruptedException {
        while (proxy.counts().held() == 0) {
            wait(5);
        }
    }

    private static void assertReset(Socket socket) {
        assertThatThrownBy(() -> {
                    InputStream in = socket.getInputStream();
                    while (in.read() >= 0) {
                        continue;
                    }
                })
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void passesSeveralConnectionsOn() throws IOException {
        try (Socket one = connect();
                Socket other = connect()) {
            assertEchoes(one, 1);
            assertEchoes(other, 2);
            assertEchoes(one, 3);
        }
        assertThat(proxy.counts()).isEqualTo(new TestProxy.Counts(2, 0, 0, 0, 0));
    }

    @Test
    void passesTheEndOfAConnectionOn() throws IOException {
        try (Socket socket = connect()) {
            send(socket, 7);
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes()).containsExactly(7);
        }
    }

    @Test
    void cutResetsAllConnectionsAndNoLaterOne() throws IOException {
        try (Socket one = connect();
                Socket other = connect()) {
            assertEchoes(one, 1);
            assertEchoes(other, 1);
            assertThat(proxy.cut()).isEqualTo(2);
            assertReset(one);
            assertReset(other);
        }
        try (Socket later = connect()) {
            assertEchoes(later, 2);
        }
        assertThat(proxy.counts()).isEqualTo(new TestProxy.Counts(3, 0, 2, 0, 0));
    }

    @Test
    void refuseResetsNewConnectionsOnly() throws IOException {
        try (Socket old = connect()) {
            assertEchoes(old, 1);
            proxy.refuse();
            try (Socket refused = connect()) {
                assertReset(refused);
            }
            assertEchoes(old, 2);
            proxy.accept();
            try (Socket later = connect()) {
                assertEchoes(later, 3);
            }
        }
        assertThat(proxy.counts()).isEqualTo(new TestProxy.Counts(2, 1, 0, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    void stallHoldsBytesBackInOneDirectionWithoutLosingAny(TestProxy.Direction direction) throws Exception {
        try (Socket socket = connect()) {
            assertEchoes(socket, 1);
            proxy.stall(direction);
            send(socket, 2);
            send(socket, 3);
            // Before the proxy has read the byte, the connection is silent, too.
            awaitHeld();
            assertSilent(socket);
            proxy.resume();
            assertThat(socket.getInputStream().readNBytes(2)).containsExactly(2, 3);
        }
        assertThat(proxy.counts().held()).isEqualTo(1);
    }

    @Test
    void stallHoldsNewConnectionsAndTheirEndsBackAsWell() throws IOException {
        proxy.stall();
        try (Socket socket = connect()) {
            send(socket, 1);
            socket.shutdownOutput();
            assertSilent(socket);
            proxy.resume();
            assertThat(socket.getInputStream().readAllBytes()).containsExactly(1);
        }
    }

    @Test
    void strandSilencesTheConnectionsOfNowForEver() throws IOException {
        try (Socket stranded = connect()) {
            assertEchoes(stranded, 1);
            assertThat(proxy.strand()).isEqualTo(1);
            send(stranded, 2);
            try (Socket later = connect()) {
                assertEchoes(later, 3);
            }
            proxy.resume();
            assertSilent(stranded);
        }
    }

    @Test
    void closeResetsAllConnections() throws IOException {
        try (Socket socket = connect()) {
            assertEchoes(socket, 1);
            proxy.close();
            assertReset(socket);
        }
        // Until the listening thread has woken up, the kernel may take connections that nobody accepts, and resets
        // them.
        try (Socket later = connect()) {
            assertReset(later);
        } catch (IOException refused) {
            assertThat(refused).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void aServerThatIsAwayLooksLikeARefusal() throws IOException {
        server.close();
        try (Socket socket = connect()) {
            assertReset(socket);
        }
        assertThat(proxy.counts().refused()).isEqualTo(1);
    }

    @Test
    void anotherProtocolIsPassedOnUnread() throws IOException {
        TestFault fault = proxy.atCommit("", Effect.LOSE_ANSWER);
        try (Socket socket = connect()) {
            for (int value = 200; value < 256; value++) {
                assertEchoes(socket, value);
            }
        }
        assertThat(fault.hasHappened()).isFalse();
    }
}
