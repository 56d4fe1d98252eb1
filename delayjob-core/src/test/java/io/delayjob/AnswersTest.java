package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Answer;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests an answer that arrives before the engine has read the store's clock. */
class AnswersTest {

    private static final String TIME_IS_ASKED_FOR = "time is asked for";
    private static final String ROW_IS_LOCKED = "row is locked";
    private static final String ROW_IS_FREE = "row is free";

    private final List<String> steps = new ArrayList<>();
    private final StandingClock standing = new StandingClock();
    private final MemoryJobStore memory = new MemoryJobStore(this::storeMicros);

    private long storeMicros() {
        return standing.storeMillis() * 1_000;
    }

    private long askForTime() {
        steps.add(TIME_IS_ASKED_FOR);
        return storeMicros();
    }

    private static DelayJobOperations operations(JobStore store, EngineClock clock) {
        return DelayJobEngine.builder(EngineSettings.defaults("answers#1"), store)
                .leases(new DelayJobEngineTest.EveryLease())
                .handlers(new HandlerRegistry())
                .codec(new DelayJobEngineTest.NoPayloads())
                .clock(clock)
                .agents(Parts::neverStarted)
                .workers(Runnable::run)
                .random(new SplittableRandom(1))
                .build()
                .operations();
    }

    /** Returns a store that records when an answer locks its row and when the lock is released. */
    private JobStore watched() {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("answer")) {
                        return method.invoke(memory, arguments);
                    }
                    steps.add(ROW_IS_LOCKED);
                    Object result = method.invoke(memory, arguments);
                    steps.add(ROW_IS_FREE);
                    return result;
                });
    }

    private Job running() {
        JobId id = operations(memory, standing).schedule("ship").now().id();
        Job waiting = memory.find(id).orElseThrow();
        return memory.claim(List.of(waiting.toDueRow()), 1, waiting.token() + 1, standing.storeTime())
                .get(0);
    }

    /**
     * The store's clock is read over a second connection. If the row were locked meanwhile, callers that hold all
     * connections of a pool would wait for each other.
     */
    @Test
    void answerOnAFreshClock_asksForTheStoresTimeBeforeItLocksTheRow() {
        Job running = running();
        DelayJobOperations jobs = operations(watched(), new StoreClock(this::askForTime));
        assertThat(steps).as("steps before the answer").isEmpty();

        AnswerResult result = jobs.answer(
                new AnswerTicket(running.id(), running.scheduledAt(), running.run(), running.attempt()), Answer.done());

        assertThat(result).isEqualTo(AnswerResult.TAKEN);
        assertThat(steps).containsExactly(TIME_IS_ASKED_FOR, ROW_IS_LOCKED, ROW_IS_FREE);
    }
}
