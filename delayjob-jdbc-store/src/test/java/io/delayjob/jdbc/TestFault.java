package io.delayjob.jdbc;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Something that a {@link TestProxy} does to one connection, once. Thread-safe. */
public final class TestFault {

    private final boolean atCommit;
    private final String text;
    private final TestProxy.Effect effect;
    private final CountDownLatch happened = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    TestFault(boolean atCommit, String text, TestProxy.Effect effect) {
        this.atCommit = atCommit;
        this.text = text.toLowerCase(Locale.ROOT);
        this.effect = effect;
    }

    /** Whether it has happened. */
    public boolean hasHappened() {
        return happened.getCount() == 0;
    }

    /** Waits until it has happened, for so long at most. @return whether it has */
    public boolean await(Duration atMost) throws InterruptedException {
        return happened.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits until the server has answered the request that it struck, for so long at most. @return whether it has */
    public boolean awaitAnswer(Duration atMost) throws InterruptedException {
        return answered.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Lets go what the fault holds back: the answer, or the request. */
    public void release() {
        released.countDown();
    }

    TestProxy.Effect effect() {
        return effect;
    }

    boolean strikes(TestProxyTap.Request request) {
        return atCommit ? request.commits() && request.anyHolds(text) : request.holds(text);
    }

    void happened() {
        happened.countDown();
    }

    void answered() {
        answered.countDown();
    }

    /** Waits for {@link #release()}, unless the connection ends before. */
    void awaitRelease(TestProxyLink link) throws InterruptedException {
        while (link.isOpen() && !released.await(10, TimeUnit.MILLISECONDS)) {
            // A connection that was reset has nobody to hold anything back from.
            continue;
        }
    }

    @Override
    public String toString() {
        return "%s at %s of '%s'%s"
                .formatted(effect, atCommit ? "commit" : "statement", text, hasHappened() ? "" : " (not yet)");
    }
}
