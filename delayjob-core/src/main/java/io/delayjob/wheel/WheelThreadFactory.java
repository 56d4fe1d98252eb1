package io.delayjob.wheel;

import java.util.concurrent.ThreadFactory;

/** Makes the thread of a wheel whose owner brings none. */
final class WheelThreadFactory implements ThreadFactory {

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "timing-wheel");
        thread.setDaemon(true);
        return thread;
    }
}
