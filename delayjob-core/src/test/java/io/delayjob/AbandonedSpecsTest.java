package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.Shop.CartCleanup;
import io.delayjob.Shop.Reminders;
import io.delayjob.Shop.UnpaidOrders;
import io.delayjob.Shop.Webhooks;
import io.delayjob.event.JobListeners;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.settings.EngineSettings;
import io.delayjob.time.StoreClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests the warning about calls of schedule(…) that never get a time. It comes when the garbage collector has found the
 * call.
 */
class AbandonedSpecsTest {

    private final Desk desk = new Desk();
    private final DelayJobOperations jobs = desk.jobs;

    /** Runs the garbage collector until the log contains this text. */
    private void awaitWarning(CapturedLog log, String text) throws InterruptedException {
        awaitWarning(log, text, desk.operations::warnOfAbandoned);
    }

    private synchronized void awaitWarning(CapturedLog log, String text, Runnable look) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (log.lines(text).isEmpty()) {
            assertThat(System.nanoTime() - deadline).as(log.lines().toString()).isNegative();
            System.gc();
            look.run();
            wait(5);
        }
    }

    @Test
    void callWithoutATime_isLoggedWithHandlerLineAndNextStep() throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            jobs.schedule(UnpaidOrders::cancel).with(1L).key(7).queue("slow");

            awaitWarning(log, "'cancel-unpaid-order' at io.delayjob.AbandonedSpecsTest.");

            assertThat(log.lines("WARN"))
                    .singleElement()
                    .asString()
                    .contains("(AbandonedSpecsTest.java:", ".now(), .after(…), .at(…) or .repeat(…)");
        }
    }

    @Test
    void idleInstance_logsItWithAHeartbeat() throws Exception {
        try (CapturedLog log = new CapturedLog();
                EngineThreads threads = new EngineThreads()) {
            DelayJobEngine engine = DelayJobEngine.builder(
                            EngineSettings.defaults("test#1").toBuilder()
                                    .worker(false)
                                    .heartbeat(Duration.ofMillis(50))
                                    .build(),
                            desk.store)
                    .leases(new DelayJobEngineTest.EveryLease())
                    .handlers(desk.handlers)
                    .codec(new TextCodec())
                    .clock(StoreClock.ofThisMachine())
                    .agents(threads)
                    .workers(threads.workers())
                    .random(new EngineRandom())
                    .listeners(new JobListeners(List.of()))
                    .build();
            engine.start();
            engine.operations().schedule(CartCleanup::purge);

            awaitWarning(log, "'purge-carts'", () -> {});

            engine.stop();
        }
    }

    @Test
    void callsOfEveryKind_areLogged_onceForEachLine() throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < 3; i++) {
                jobs.schedule(CartCleanup::purge);
                jobs.schedule(Reminders::remind).withEach(List.of(1L, 2L)).key(id -> id);
                jobs.schedule(Webhooks::send).with("url", "body");
                jobs.schedule("elsewhere").with(Map.of("id", 1));
            }

            for (String name : List.of("purge-carts", "remind-customer", "send-webhook", "elsewhere")) {
                awaitWarning(log, "'" + name + "'");
            }

            assertThat(log.lines("WARN")).hasSize(4);
        }
    }

    @Test
    void callsWithATimeOrRefusedCalls_areNotLogged() throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            jobs.schedule(UnpaidOrders::cancel).with(1L).key(1).after(Duration.ofHours(1));
            jobs.schedule(UnpaidOrders::cancel).withEach(List.of(2L, 3L)).now();
            jobs.schedule(CartCleanup::purge).now();
            jobs.schedule("elsewhere").now();
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> jobs.schedule(UnpaidOrders::cancel).with(1L).key(""));
            ScheduleSpec kept = jobs.schedule(UnpaidOrders::cancel).with(1L);
            kept.key(4).now();
            kept.key(5).now();
            jobs.schedule(Webhooks::send);

            awaitWarning(log, "send-webhook");

            assertThat(log.lines("WARN")).hasSize(1);
        }
    }

    @Test
    void afterTheFirst64Calls_oneIn128IsWatched_andTheOthersCostNothing() {
        List<Integer> watched = IntStream.range(0, 400)
                .filter(call -> Proxy.isProxyClass(jobs.schedule("elsewhere").getClass()))
                .boxed()
                .toList();

        assertThat(watched)
                .startsWith(0, 1)
                .contains(63)
                .endsWith(63, 128, 256, 384)
                .hasSize(67);
    }
}
