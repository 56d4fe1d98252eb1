package io.delayjob.wheel;

import java.util.concurrent.locks.LockSupport;

/** The owner of a wheel in real time. It polls the wheel, and sleeps until the next poll is needed. */
final class PollingThread extends Thread implements AutoCloseable {

    private final TimingWheel wheel;

    PollingThread(TimingWheelBuilder builder) {
        super("wheel-test");
        wheel = builder.polledByOwner(() -> LockSupport.unpark(this));
        setDaemon(true);
        start();
    }

    TimingWheel wheel() {
        return wheel;
    }

    @Override
    public void run() {
        while (!isInterrupted()) {
            LockSupport.parkNanos(wheel.poll());
        }
    }

    @Override
    public void close() {
        wheel.close();
        interrupt();
    }
}
