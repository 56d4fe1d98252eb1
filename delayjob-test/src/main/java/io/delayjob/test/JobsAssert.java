package io.delayjob.test;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about the jobs of one handler in one state. Each assertion applies only to the jobs that satisfy the
 * previous assertions.
 */
public final class JobsAssert extends AbstractAssert<JobsAssert, List<Job>> {

    private final String what;
    private final @Nullable Instant now;

    JobsAssert(String what, List<Job> jobs, @Nullable Instant now) {
        super(jobs, JobsAssert.class);
        this.what = what;
        this.now = now;
    }

    /** Checks that at least one job has this key; keys are compared as texts. */
    public JobsAssert withKey(Object key) {
        return narrowed("with key '" + key + "'", job -> key.toString().equals(job.key()));
    }

    /** Checks that at least one job is due at this instant, to the millisecond. */
    public JobsAssert dueAt(Instant instant) {
        return narrowed("due at " + instant, job -> job.dueAt().equals(instant));
    }

    /**
     * Checks that at least one job is due at the tester's present time plus this delay, to the millisecond.
     *
     * @throws IllegalStateException if the assertion did not begin with a tester
     */
    public JobsAssert dueIn(Duration delay) {
        if (now == null) {
            throw new IllegalStateException(
                    "dueIn(%s) counts from a tester's virtual time: begin with assertThat(tester), or use dueAt(…)."
                            .formatted(delay));
        }
        return dueAt(now.plus(delay));
    }

    /** Checks that at least one job is at this run; runs are counted from 1. */
    public JobsAssert atRun(int run) {
        return narrowed("at run " + run, job -> job.run() == run);
    }

    /** Checks that at least one job has this number of failed and lost attempts in its present run. */
    public JobsAssert withFailures(int failures) {
        return narrowed("with " + failures + " failures", job -> job.failures() == failures);
    }

    /** Checks that at least one job has failed with this text in the type or the message of its error. */
    public JobsAssert withError(String text) {
        return narrowed(
                "with an error containing '" + text + "'",
                job -> job.failure() != null && job.failure().toString().contains(text));
    }

    /** Checks that at least one job has this label. */
    public JobsAssert withLabel(String label) {
        return narrowed("with label '" + label + "'", job -> job.labels().contains(label));
    }

    /** Checks that at least one job has ended with this result; results are compared as stored texts. */
    public JobsAssert withResult(String result) {
        return narrowed("with result " + result, job -> result.equals(job.result()));
    }

    /** Checks that at least one job has this mutex; mutexes are compared as texts. */
    public JobsAssert withMutex(Object mutex) {
        return narrowed("with mutex '" + mutex + "'", job -> mutex.toString().equals(job.mutex()));
    }

    /** Checks that at least one job has this rate key; rate keys are compared as texts. */
    public JobsAssert withRateKey(Object key) {
        return narrowed("with rate key '" + key + "'", job -> key.toString().equals(job.rateKey()));
    }

    /** Checks that at least one job has this fair key; fair keys are compared as texts. */
    public JobsAssert withFairKey(Object key) {
        return narrowed("with fair key '" + key + "'", job -> key.toString().equals(job.fairKey()));
    }

    /** Checks that at least one job is a member of the group with this name. */
    public JobsAssert inGroup(String name) {
        return narrowed(
                "in group '" + name + "'", job -> name.equals(job.extras().groupName()));
    }

    /** Checks that at least one job follows the job with this id in a chain. */
    public JobsAssert following(JobId previous) {
        return narrowed("that follows job " + previous, job -> previous.equals(job.follows()));
    }

    /** Checks that at least one job expires at this instant, to the millisecond. */
    public JobsAssert expiringAt(Instant instant) {
        return narrowed("that expires at " + instant, job -> instant.equals(job.expiresAt()));
    }

    /** Checks that there are exactly {@code count} jobs. */
    public JobsAssert times(int count) {
        if (actual.size() != count) {
            failWithMessage("Expected %d x %s, but found %d:%s", count, what, actual.size(), list(actual));
        }
        return this;
    }

    /** Checks that there is exactly one job. */
    public JobsAssert once() {
        return times(1);
    }

    /** Returns a list assertion on the jobs, in the order of their creation. */
    public ListAssert<Job> jobs() {
        return Assertions.assertThat(actual).as(what);
    }

    JobsAssert isPresent() {
        if (actual.isEmpty()) {
            failWithMessage("Expected a %s, but found none.", what);
        }
        return this;
    }

    void isAbsent() {
        if (!actual.isEmpty()) {
            failWithMessage("Expected no %s, but found %d:%s", what, actual.size(), list(actual));
        }
    }

    private JobsAssert narrowed(String how, Predicate<Job> which) {
        List<Job> matching = actual.stream().filter(which).toList();
        if (matching.isEmpty()) {
            failWithMessage("Expected a %s %s, but found only:%s", what, how, list(actual));
        }
        return new JobsAssert(what + " " + how, matching, now);
    }

    private static String list(List<Job> jobs) {
        return jobs.stream()
                .limit(20)
                .map(job -> "%n  %s: key %s, run %d, %d failures, due %s, error %s"
                        .formatted(job.id(), job.key(), job.run(), job.failures(), job.dueAt(), job.failure()))
                .collect(Collectors.joining());
    }
}
