package io.delayjob.test;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.EngineSettings;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.JobQuery;
import io.delayjob.store.MemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A few virtual minutes in the life of three instances, all drawn from one seed: an application that schedules, cancels,
 * reschedules and revives jobs, and, unless it is calm, instances that crash, pause, stop, come back and lose their store.
 * Afterwards everything that is promised must have held.
 */
final class Simulation {

    private static final int MEMBERS = 3;
    private static final int RUNS = 4;

    /** An unlucky job loses several instances. */
    private static final RetryPolicy MANY_RETRIES =
            RetryPolicy.defaults().maxRetries(50).delay(ofSeconds(1)).multiplier(1);

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final MemoryLeaseProvider leases = new MemoryLeaseProvider(time.clock());
    private final ReferencePayloads codec = new ReferencePayloads();
    private final Random random;
    private final boolean calm;

    private final List<Member> members = new ArrayList<>();
    private int joined;

    private final List<JobId> submitted = new ArrayList<>();
    private final Map<JobId, Integer> cancelledAfterStarts = new HashMap<>();
    private final Set<JobId> revived = new HashSet<>();
    private final List<Start> starts = new ArrayList<>();
    private final Map<JobId, Integer> underWay = new HashMap<>();
    private final List<String> overlaps = new ArrayList<>();

    Simulation(long seed, boolean calm) {
        this.random = new Random(seed);
        this.calm = calm;
    }

    private record Member(VirtualProcess process, DelayJobTester tester, Weather weather) {}

    private record Start(JobId id, String name, int run, int attempt, Instant dueAt, Instant at) {}

    void run() {
        for (int i = 0; i < MEMBERS; i++) {
            members.add(join());
        }
        time.advance(ofSeconds(20));
        for (int step = 0; step < 600; step++) {
            act();
            act();
            act();
            if (!calm && step % 10 == 0) {
                disturb();
            }
            time.advance(ofMillis(random.nextInt(600)));
        }
        settle();
        check();
    }

    private Member join() {
        String name = "m" + joined++;
        Weather weather = new Weather(random.nextLong());
        VirtualProcess process = time.process(name);
        DelayJobTester tester = DelayJobTester.builder()
                .name(name)
                .process(process)
                .store(weather.over(store))
                .leases(weather.over(leases))
                .codec(codec)
                .settings(unhurried ->
                        EngineSettings.defaults(name).toBuilder().maxJobs(300).stopAwait(Duration.ZERO))
                .build();
        tester.tolerateFailures();
        register(tester, "quick", MANY_RETRIES, (arguments, job) -> ended(job, null));
        register(tester, "flaky", RetryPolicy.gaps(ofSeconds(2)), (arguments, job) -> {
            if (random.nextInt(3) == 0) {
                ended(job, null);
                throw new IllegalStateException("bad luck");
            }
            return ended(job, null);
        });
        register(tester, "slow", MANY_RETRIES, (arguments, job) -> {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            time.schedule(ofMillis(random.nextInt(15_000)).toNanos(), () -> answer.complete(ended(job, null)));
            return answer;
        });
        register(tester, "repeated", MANY_RETRIES, (arguments, job) -> ended(job, null));
        return new Member(process, tester, weather);
    }

    private void register(DelayJobTester tester, String name, RetryPolicy retry, JobHandler then) {
        tester.register(Handler.named(name).retry(retry).calls((arguments, job) -> {
            starts.add(new Start(
                    job.id(),
                    name,
                    job.run(),
                    job.attempt(),
                    job.dueAt(),
                    time.clock().storeTime()));
            if (underWay.merge(job.id(), 1, Integer::sum) > 1) {
                overlaps.add(name + " " + job.id());
            }
            return then.handle(arguments, job);
        }));
    }

    private Object ended(JobContext job, Object answer) {
        underWay.merge(job.id(), -1, Integer::sum);
        return answer;
    }

    private void act() {
        Member member = members.get(random.nextInt(members.size()));
        if (member.process().isKilled()) {
            return;
        }
        member.weather().application(() -> act(member.tester().operations()));
    }

    private void act(DelayJobOperations jobs) {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> add(jobs.schedule("quick").after(delay()));
            case 3 -> add(jobs.schedule("flaky").after(delay()));
            case 4 -> add(jobs.schedule("slow").after(delay()));
            case 5 ->
                add(jobs.schedule("repeated")
                        .repeat(Repeat.every(ofMillis(100 + random.nextInt(20_000)))
                                .times(RUNS)));
            case 6 -> {
                OnExisting onExisting = OnExisting.values()[random.nextInt(3)];
                add(jobs.schedule("slow").key(random.nextInt(3), onExisting).after(delay()));
            }
            case 7 -> cancel(jobs);
            case 8 -> any().ifPresent(id -> jobs.reschedule(id, delay()));
            default -> revive(jobs);
        }
    }

    private void add(Scheduled scheduled) {
        if (scheduled.outcome() == Scheduled.Outcome.CREATED) {
            submitted.add(scheduled.id());
        }
    }

    private Duration delay() {
        return random.nextInt(4) == 0 ? Duration.ZERO : ofMillis(random.nextInt(40_000));
    }

    private Optional<JobId> any() {
        return submitted.isEmpty() ? Optional.empty() : Optional.of(submitted.get(random.nextInt(submitted.size())));
    }

    private void cancel(DelayJobOperations jobs) {
        any().ifPresent(id -> {
            CancelResult result = jobs.cancel(id);
            if (result == CancelResult.CANCELLED || result == CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT) {
                cancelledAfterStarts.putIfAbsent(id, startsOf(id));
            }
        });
    }

    private void revive(DelayJobOperations jobs) {
        for (Job failed : jobs.find(JobQuery.state(JobState.FAILED))) {
            jobs.retry(failed.id());
            revived.add(failed.id());
        }
    }

    private int startsOf(JobId id) {
        return (int) starts.stream().filter(start -> start.id().equals(id)).count();
    }

    private void disturb() {
        int index = random.nextInt(members.size());
        Member member = members.get(index);
        switch (random.nextInt(8)) {
            case 0 -> {
                member.process().kill();
                members.set(index, join());
            }
            case 1 -> member.process().pause();
            case 2 -> members.forEach(each -> each.process().resume());
            case 3 -> member.weather().outage(true);
            case 4 -> members.forEach(each -> each.weather().outage(false));
            case 5 -> members.forEach(each -> each.weather().outage(true));
            case 6 -> {
                member.tester().engine().stop();
                members.set(index, join());
            }
            default -> {}
        }
    }

    private void settle() {
        members.forEach(member -> {
            member.weather().outage(false);
            member.process().resume();
        });
        time.advance(ofMinutes(5));
    }

    private void check() {
        assertThat(starts)
                .as("no attempt is early")
                .allMatch(start -> !start.at().isBefore(start.dueAt()));
        assertThat(starts.stream()
                        .map(start -> start.id() + "/" + start.run() + "/" + start.attempt())
                        .toList())
                .as("no attempt number is used twice")
                .doesNotHaveDuplicates();
        assertThat(submitted).isNotEmpty().allSatisfy(this::checkEnded);
        assertThat(cancelledAfterStarts)
                .as("no attempt starts after cancel said so")
                .allSatisfy((id, before) -> assertThat(startsOf(id)).isEqualTo(before));
        assertThat(store.partitionsInUse()).as("unfinished jobs").isEmpty();
        if (calm) {
            checkCalm();
        }
    }

    private void checkEnded(JobId id) {
        Job job = store.find(id).orElseThrow(() -> new AssertionError("Job %s is lost.".formatted(id)));
        assertThat(job.state().isEnded()).as("%s has ended", job).isTrue();
        if (job.state() == JobState.FINISHED) {
            assertThat(startsOf(id)).as("%s has run", job).isPositive();
        }
        if (job.state() == JobState.FINISHED && job.name().equals("repeated")) {
            assertThat(starts.stream().filter(start -> start.id().equals(id)).map(Start::run))
                    .as("%s has made each of its runs", job)
                    .contains(1, 2, 3, RUNS);
        }
        if (job.state() == JobState.FAILED) {
            assertThat(job.name()).as("%s may fail", job).isEqualTo("flaky");
        }
    }

    private void checkCalm() {
        assertThat(overlaps).as("attempts of one job that overlap").isEmpty();
        assertThat(starts.stream()
                        .filter(start -> !start.name().equals("flaky"))
                        .map(start -> start.id() + "/" + start.run())
                        .toList())
                .as("each run is made once")
                .doesNotHaveDuplicates();
        assertThat(starts)
                .as("every attempt is on time, or within sweep and adoption when its submitter could not see it")
                .allMatch(start -> Duration.between(start.dueAt(), start.at()).compareTo(ofSeconds(9)) < 0);
        long onTime = starts.stream()
                .filter(start -> start.at().equals(start.dueAt()))
                .count();
        assertThat(onTime).isGreaterThan(starts.size() * 9L / 10);
    }
}
