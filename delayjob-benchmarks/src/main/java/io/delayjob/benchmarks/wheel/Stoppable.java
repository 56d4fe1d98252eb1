package io.delayjob.benchmarks.wheel;

final class Stoppable {

    private final Thread thread;
    private volatile boolean stopped;

    Stoppable(Runnable turn) {
        thread = LiveTimers.daemon(() -> {
            while (!stopped) {
                turn.run();
            }
        });
        thread.start();
    }

    void stop() {
        stopped = true;
        thread.interrupt();
    }
}
