package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ScheduleSpec;
import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.server.Callee.Fate;
import io.delayjob.server.Callee.Line;
import io.delayjob.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs over HTTP through two servers, while servers and callee are killed, connections are cut, and the callee answers
 * 500 and 503. docs/reliability.md has the command of the long form.
 */
class FiveProcessesTest {

    private static final int JOBS = Integer.getInteger("delayjob.test.jobs", 200);
    private static final int JOBS_PER_SECOND = Integer.getInteger("delayjob.test.rate", 20);
    private static final int FAULTS = Integer.getInteger("delayjob.test.faults", 4);
    private static final long SEED = Long.getLong("delayjob.test.seed", 1);

    /** Enough for the rate, even if one server is down and each second request is sent again. */
    private static final int HANDS = 16;

    private static final int LONGEST_DELAY_MILLIS = 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private enum Fault {
        KILL_SERVER,
        CUT_FROM_DATABASE,
        KILL_CALLEE,
        CUT_FROM_CALLEE
    }

    /**
     * A job that a server has accepted.
     *
     * @param notBeforeMicros the time of the first request, plus the delay
     */
    private record Submitted(JobId id, long notBeforeMicros) {}

    private final Map<Long, Submitted> submitted = new ConcurrentHashMap<>();
    private final AtomicLong repeatedRequests = new AtomicLong();
    private final Map<Fault, Integer> faults = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(SEED);

    @TempDir
    private Path directory;

    @Test
    void underKillsAndCuts_everyJobEndsByItsPolicyAndHasItsEffectOnce() throws Exception {
        ExecutorService hands = Executors.newFixedThreadPool(HANDS + 1);
        try (FiveProcesses processes = new FiveProcesses(directory)) {
            AtomicBoolean over = new AtomicBoolean();
            List<Future<?>> submitting = new ArrayList<>();
            for (int hand = 0; hand < HANDS; hand++) {
                int first = hand;
                submitting.add(hands.submit(() -> {
                    submit(processes, first);
                    return null;
                }));
            }
            Future<?> breaking = hands.submit(() -> {
                inject(processes, over);
                return null;
            });
            for (Future<?> hand : submitting) {
                hand.get();
            }
            over.set(true);
            breaking.get();
            awaitRest(processes);

            judge(processes.ended(), processes.unfinished(), Line.read(processes.effects()));
        } finally {
            hands.shutdownNow();
        }
    }

    private void submit(FiveProcesses processes, int first) throws InterruptedException {
        Duration pace = Duration.ofSeconds(HANDS).dividedBy(JOBS_PER_SECOND);
        SplittableRandom delays = new SplittableRandom(SEED * 100 + first);
        long beganNanos = System.nanoTime();
        for (long number = first; number < JOBS; number += HANDS) {
            submit(processes, number, Duration.ofMillis(delays.nextInt(LONGEST_DELAY_MILLIS)));
            long done = number / HANDS + 1;
            processes.rest(pace.multipliedBy(done).minusNanos(System.nanoTime() - beganNanos));
        }
    }

    /** Sends the request to the servers in turn, with the same id, until one of them has answered. */
    private void submit(FiveProcesses processes, long number, Duration delay) throws InterruptedException {
        long nowMillis = System.currentTimeMillis();
        JobId id = new JobId(new UUID(nowMillis << 16 | 0x7000, Long.MIN_VALUE | number));
        for (int request = 0; !submitted.containsKey(number); request++) {
            int server = (int) ((number + request) % FiveProcesses.SERVERS);
            try {
                ScheduleSpec spec = processes
                        .jobs(server)
                        .schedule("effects")
                        .with(Map.of("path", "/effects/" + number, "body", Map.of("number", number)))
                        .id(id);
                if (Fate.of(number) == Fate.BROKEN) {
                    spec = spec.retry(RetryPolicy.gaps(Duration.ofMillis(200), Duration.ofMillis(400)));
                }
                spec.after(delay);
                submitted.put(number, new Submitted(id, (nowMillis + delay.toMillis()) * 1_000));
            } catch (StoreException away) {
                repeatedRequests.incrementAndGet();
                processes.rest(BETWEEN_LOOKS);
            }
        }
    }

    private void inject(FiveProcesses processes, AtomicBoolean over) throws Exception {
        Duration pace = Duration.ofSeconds(JOBS / JOBS_PER_SECOND).dividedBy(FAULTS);
        for (int step = 0; step < FAULTS; step++) {
            Fault fault = Fault.values()[step % Fault.values().length];
            int server = random.nextInt(FiveProcesses.SERVERS);
            Duration down = Duration.ofMillis(200 + random.nextInt(2_000));
            long beganNanos = System.nanoTime();
            switch (fault) {
                case KILL_SERVER -> {
                    processes.killServer(server);
                    processes.awaitServer(server);
                }
                case CUT_FROM_DATABASE -> processes.cutFromDatabase(server, down);
                case KILL_CALLEE -> processes.killCallee(down);
                case CUT_FROM_CALLEE -> processes.cutFromCallee(server, down);
            }
            faults.merge(fault, 1, Integer::sum);
            if (!over.get()) {
                processes.rest(pace.minusNanos(System.nanoTime() - beganNanos));
            }
        }
    }

    private static void awaitRest(FiveProcesses processes) throws Exception {
        long left = processes.unfinished();
        long changedNanos = System.nanoTime();
        while (left > 0 && System.nanoTime() - changedNanos < PATIENCE.toNanos()) {
            processes.rest(BETWEEN_LOOKS);
            long leftNow = processes.unfinished();
            if (leftNow != left) {
                changedNanos = System.nanoTime();
            }
            left = leftNow;
        }
    }

    private void judge(Map<JobId, Integer> ended, long unfinished, List<Line> lines) {
        Map<Long, List<Line>> byNumber = new HashMap<>();
        lines.forEach(line -> byNumber.computeIfAbsent(line.number(), number -> new ArrayList<>())
                .add(line));
        List<String> violations = new ArrayList<>();
        submitted.forEach((number, job) -> {
            List<Line> calls = byNumber.getOrDefault(number, List.of());
            Fate fate = Fate.of(number);
            Integer code = ended.get(job.id());
            JobState state = code == null ? null : StoredState.stateOf(code);
            long effects =
                    calls.stream().filter(line -> line.kind().equals("EFFECT")).count();
            Set<String> ids = new HashSet<>(calls.stream().map(Line::call).toList());
            boolean early = calls.stream().anyMatch(line -> line.micros() < job.notBeforeMicros());
            // A broken job has few retries. All of them may come while the callee is down, and leave no line.
            if (state != (fate.hasEffect() ? JobState.FINISHED : JobState.FAILED)
                    || effects != (fate.hasEffect() ? 1 : 0)
                    || ids.size() > 1
                    || ids.isEmpty() && fate != Fate.BROKEN
                    || early) {
                violations.add("job %d (%s, %s): %s, not before %d: %s"
                        .formatted(number, fate, job.id(), state, job.notBeforeMicros(), calls));
            }
        });
        long again = lines.stream().filter(line -> line.kind().equals("AGAIN")).count();
        long forged =
                lines.stream().filter(line -> line.kind().equals("FORGED")).count();
        System.out.printf(
                "%d jobs over HTTP, faults %s, %d requests repeated; %d calls, of which %d came again; ended %d, violations %d%n",
                submitted.size(), faults, repeatedRequests.get(), lines.size(), again, ended.size(), violations.size());

        assertThat(violations).as("with -Ddelayjob.test.seed=%d", SEED).isEmpty();
        assertThat(unfinished).as("jobs that have not ended").isZero();
        assertThat(ended).as("jobs, each written once").hasSize(JOBS);
        assertThat(forged).as("calls whose signature was wrong").isZero();
        assertThat(faults).containsOnlyKeys(Fault.values());
    }
}
