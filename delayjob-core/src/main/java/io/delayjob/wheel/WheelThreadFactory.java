package io.delayjob.wheel;

import java.util.concurrent.ThreadFactory;

/** Creates the thread of a wheel whose owner supplies none. */
final class WheelThreadFactory implements ThreadFactory {

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "timing-wheel");
        thread.setDaemon(true);
        return thread;
    }
}
