package io.delayjob.rest;

import io.delayjob.ChainSpec;
import io.delayjob.ScheduleSpec;
import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job to schedule. If {@code after}, {@code at} and {@code repeat} are absent, the job is due immediately. If {@code
 * queue}, {@code retry}, {@code expiresAfter}, {@code mutex}, {@code rateKey} or {@code fairKey} is absent, the
 * handler's value applies.
 *
 * @param ifExists what happens if an unfinished job already has the key; KEEP by default
 * @param after time from now to the due time, as an ISO-8601 duration
 * @param at instant in ISO-8601
 * @param repeat schedule of a repeating job, in the form of {@link Schedule#toText()}
 * @param retry the retry policy, in the form of {@link RetryPolicy#toText()}
 * @param expiresAfter maximum time from the run's planned time to the start of an attempt, as an ISO-8601 duration
 * @param then jobs that follow the job, one after the other
 */
record JobRequest(
        @Nullable String name,
        @Nullable Map<String, @Nullable Object> arguments,
        @Nullable String key,
        @Nullable OnExisting ifExists,
        @Nullable String after,
        @Nullable String at,
        @Nullable String repeat,
        @Nullable String queue,
        @Nullable String retry,
        @Nullable String expiresAfter,
        @Nullable String mutex,
        @Nullable String rateKey,
        @Nullable String fairKey,
        @Nullable List<String> labels,
        @Nullable String group,
        @Nullable List<@Nullable FollowingJob> then)
        implements ApiBody {

    ScheduledChain schedule(ExposedJobs exposed, @Nullable JobId id) {
        if (Stream.of(after, at, repeat).filter(time -> time != null).count() > 1) {
            throw Problem.INVALID_JOB.of(
                    "Invalid time: must have at most one of 'after', 'at' and 'repeat'; leave out the others.");
        }
        if (ifExists != null && key == null) {
            throw Problem.INVALID_JOB.of("Invalid 'ifExists' %s: must come with a 'key'; add it.".formatted(ifExists));
        }
        ScheduleSpec spec = new WaitingJobRequest(
                        name, arguments, queue, retry, expiresAfter, mutex, rateKey, fairKey, labels)
                .spec(exposed, id);
        if (key != null) {
            spec = spec.key(key, ifExists == null ? OnExisting.KEEP : ifExists);
        }
        if (group != null) {
            spec = spec.group(exposed.group(group).name());
        }
        return then == null || then.isEmpty()
                ? new ScheduledChain(schedule(spec), List.of())
                : schedule(FollowingJob.chain(spec, then, exposed::name));
    }

    private Scheduled schedule(ScheduleSpec spec) {
        if (after != null) {
            return spec.after(TimeRequest.duration(Problem.INVALID_JOB, "after", after));
        }
        if (at != null) {
            return spec.at(TimeRequest.instant(at));
        }
        return repeat == null ? spec.now() : spec.repeat((Repeat) Schedule.parse(repeat));
    }

    private ScheduledChain schedule(ChainSpec chain) {
        if (after != null) {
            return chain.startAfter(TimeRequest.duration(Problem.INVALID_JOB, "after", after));
        }
        if (at != null) {
            return chain.startAt(TimeRequest.instant(at));
        }
        return repeat == null ? chain.now() : chain.repeatFirst((Repeat) Schedule.parse(repeat));
    }
}
