package io.delayjob.benchmarks.wheel;

/** Repeats an action on its own thread until it is stopped. */
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
