package io.delayjob.job;

import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import io.delayjob.time.HandClock;
import java.time.Instant;
import java.util.UUID;

/** Builds a job for a test. By default it is a claimed one-shot in its first attempt. */
public final class GivenJob {

    private JobId id = id(1);
    private Partition partition = new Partition("default", 0);
    private String name = "a";
    private String payload;
    private String extras;
    private String schedule;
    private String retry;
    private JobState state = JobState.RUNNING;
    private long token = 7;
    private Instant scheduledAt = HandClock.START;
    private Instant plannedAt = HandClock.START;
    private int run = 1;
    private int attempt = 1;
    private int failures;
    private int rescues;
    private long owner = 1;
    private Instant startedAt = HandClock.START;

    public static GivenJob given() {
        return new GivenJob();
    }

    public static JobId id(long number) {
        return new JobId(new UUID(0x7000, Long.MIN_VALUE + number));
    }

    public GivenJob id(JobId id) {
        this.id = id;
        return this;
    }

    public GivenJob partition(Partition partition) {
        this.partition = partition;
        return this;
    }

    public GivenJob name(String name) {
        this.name = name;
        return this;
    }

    public GivenJob payload(String payload) {
        this.payload = payload;
        return this;
    }

    public GivenJob rateKey(String rateKey) {
        extras = JobExtras.parse(extras).withRateKey(rateKey).toText();
        return this;
    }

    public GivenJob mutex(String mutex) {
        extras = JobExtras.parse(extras).withMutex(mutex).toText();
        return this;
    }

    public GivenJob fairKey(String fairKey) {
        extras = JobExtras.parse(extras).withFairKey(fairKey).toText();
        return this;
    }

    public GivenJob schedule(Schedule schedule) {
        return schedule(schedule.toText());
    }

    public GivenJob schedule(String text) {
        schedule = text;
        return this;
    }

    public GivenJob retry(RetryPolicy policy) {
        retry = policy.toText();
        return this;
    }

    public GivenJob token(long token) {
        this.token = token;
        return this;
    }

    public GivenJob scheduledAt(Instant scheduledAt) {
        this.scheduledAt = scheduledAt;
        return this;
    }

    public GivenJob plannedAt(Instant plannedAt) {
        this.plannedAt = plannedAt;
        return this;
    }

    public GivenJob run(int run) {
        this.run = run;
        return this;
    }

    public GivenJob failures(int failures) {
        this.failures = failures;
        return this;
    }

    public GivenJob rescues(int rescues) {
        this.rescues = rescues;
        return this;
    }

    public GivenJob owner(long owner) {
        this.owner = owner;
        return this;
    }

    public GivenJob startedAt(Instant startedAt) {
        this.startedAt = startedAt;
        return this;
    }

    public Job done() {
        return new Job(
                id,
                partition,
                JobTask.of(name).withPayload(payload).withExtras(extras),
                new JobPlan(schedule, retry, scheduledAt, run, plannedAt, plannedAt),
                new JobProgress(
                        state, token, owner, startedAt, false, new AttemptCounts(attempt, failures, rescues, 0)),
                JobEnd.NONE);
    }

    /** Returns the new job that becomes this job when it is claimed. It is due at its planned time. */
    public NewJob toBeWritten() {
        return new NewJob(
                id,
                partition,
                JobTask.of(name).withPayload(payload).withExtras(extras),
                new JobPlan(schedule, retry, scheduledAt, 1, plannedAt, plannedAt),
                OnExisting.KEEP,
                token);
    }
}
