package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;

/**
 * Sockets of an application's connections to a broker that speaks AMQP 0-9-1. A test can close them under the
 * application's feet, refuse new ones, and keep from the application what the broker says. Thread-safe.
 */
final class CuttableSockets extends SocketFactory {

    private static final int PATIENCE_SECONDS = 60;

    /** Class and method of the frame with which a broker confirms messages. */
    private static final byte[] ACKNOWLEDGEMENT = {0, 60, 0, 80};

    private final List<Ear> open = new CopyOnWriteArrayList<>();
    private final CountDownLatch unheard = new CountDownLatch(1);
    private final CountDownLatch refused = new CountDownLatch(1);
    private volatile boolean refusing;

    /** Resets all connections. */
    void cutAll() {
        for (Ear socket : open) {
            open.remove(socket);
            try {
                socket.setSoLinger(true, 0);
                socket.close();
            } catch (IOException gone) {
                // It was closed before.
            }
        }
    }

    /** The application hears nothing more over its present connections, although it can still send. */
    void deafen() {
        open.forEach(socket -> socket.deaf = true);
    }

    /** Waits until the broker has confirmed a message, and the application has not heard so. */
    void awaitUnheardConfirmation() throws InterruptedException {
        assertThat(unheard.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("a confirmation that the application does not hear")
                .isTrue();
    }

    /** Resets all connections, and refuses new ones, as if the broker had been killed. */
    void breakOff() {
        refusing = true;
        cutAll();
    }

    /** Accepts connections again, once one was refused. */
    void heal() throws InterruptedException {
        assertThat(refused.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("a connection that was refused")
                .isTrue();
        refusing = false;
    }

    private static boolean holdsAcknowledgement(byte[] bytes, int from, int until) {
        for (int at = from; at + ACKNOWLEDGEMENT.length <= until; at++) {
            int same = 0;
            while (same < ACKNOWLEDGEMENT.length && bytes[at + same] == ACKNOWLEDGEMENT[same]) {
                same++;
            }
            if (same == ACKNOWLEDGEMENT.length) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Socket createSocket() {
        Ear socket = new Ear();
        open.add(socket);
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }

    private final class Ear extends Socket {

        private volatile boolean deaf;

        @Override
        public void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
            if (refusing) {
                refused.countDown();
                throw new ConnectException("The test lets nobody connect now.");
            }
            super.connect(endpoint, timeoutMillis);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    int count = super.read(bytes, offset, length);
                    while (deaf && count > 0) {
                        if (holdsAcknowledgement(bytes, offset, offset + count)) {
                            unheard.countDown();
                        }
                        count = super.read(bytes, offset, length);
                    }
                    return count;
                }
            };
        }
    }
}
