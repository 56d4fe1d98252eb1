package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.ChainStep;
import io.delayjob.job.JobPlan;
import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.Repeat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

record JobChain(Draft first, List<Follower> followers, Scheduling parts) implements ChainSpec {

    @Override
    public ScheduledChain now() {
        return write(parts.planner().now());
    }

    @Override
    public ScheduledChain startAfter(Duration delay) {
        return write(parts.planner().after(delay));
    }

    @Override
    public ScheduledChain startAt(Instant instant) {
        return write(parts.planner().at(instant));
    }

    @Override
    public ScheduledChain repeatFirst(Repeat schedule) {
        return write(parts.planner().repeat(schedule));
    }

    private ScheduledChain write(JobPlan plan) {
        return parts.writer().write(first, followers, plan);
    }

    @Override
    public <P, Q> ChainSpec.Step<P, Q> then(MethodReference handler, ChainStep.When when) {
        checkRoom();
        Handler next = parts.references().handlerOf(handler);
        checkMayFollow(next);
        return new HandlerStep<>(this, next, when);
    }

    @Override
    public ChainSpec.Named then(String name, ChainStep.When when) {
        checkRoom();
        Handler next = parts.handlers().find(Texts.checkName(name));
        checkStore(name);
        checkMayFollow(next);
        return new NamedStep(this, name, next, when);
    }

    private void checkRoom() {
        if (followers.size() == ChainStep.MAX) {
            throw new IllegalArgumentException(
                    "Invalid chain of job '%s': must have at most %d jobs that follow the first; let the last one schedule the rest."
                            .formatted(first.name(), ChainStep.MAX));
        }
    }

    private void checkStore(String name) {
        String other = parts.handlers().otherStore(name);
        if (other != null) {
            throw new IllegalArgumentException(
                    "Invalid job '%s' in a chain: its handler must belong to the store of the first job, but states another store (store = \"%s\"). Schedule the first job in(\"%s\"), or let the previous job schedule this job."
                            .formatted(name, other, other));
        }
    }

    /** A follower may be stored before the argument that decides its key is known. */
    private static void checkMayFollow(@Nullable Handler handler) {
        if (handler != null && (handler.mutex() != null || handler.rateBy() != null)) {
            throw new IllegalArgumentException(
                    "Invalid job '%s' in a chain: must not follow another job, because its handler states a %s. Let the previous job schedule this job."
                            .formatted(handler.name(), handler.mutex() != null ? "mutex" : "rateBy"));
        }
    }

    private JobChain followedBy(Draft draft, @Nullable String resultName, ChainStep.When when) {
        Follower last = new Follower(draft, resultName, when);
        return new JobChain(
                first, Stream.concat(followers.stream(), Stream.of(last)).toList(), parts);
    }

    /** A chain that may still receive arguments for its last job. */
    private interface Open extends ChainSpec {

        ChainSpec ended();

        @Override
        default ScheduledChain now() {
            return ended().now();
        }

        @Override
        default ScheduledChain startAfter(Duration delay) {
            return ended().startAfter(delay);
        }

        @Override
        default ScheduledChain startAt(Instant instant) {
            return ended().startAt(instant);
        }

        @Override
        default ScheduledChain repeatFirst(Repeat schedule) {
            return ended().repeatFirst(schedule);
        }

        @Override
        default <P, Q> ChainSpec.Step<P, Q> then(MethodReference handler, ChainStep.When when) {
            return ended().then(handler, when);
        }

        @Override
        default ChainSpec.Named then(String name, ChainStep.When when) {
            return ended().then(name, when);
        }
    }

    private record HandlerStep<P, Q>(JobChain before, Handler handler, ChainStep.When when)
            implements ChainSpec.Step<P, Q>, Open {

        @Override
        public ChainSpec with(P first) {
            return withAll(first);
        }

        @Override
        public ChainSpec with(P first, Q second) {
            return withAll(first, second);
        }

        @Override
        public ChainSpec ended() {
            return withAll();
        }

        private ChainSpec withAll(@Nullable Object... arguments) {
            String payload = before.parts.payloads().encodeFirst(handler, arguments);
            List<PayloadParameter> parameters = handler.parameters();
            String resultName = arguments.length == parameters.size()
                    ? null
                    : parameters.get(arguments.length).name();
            return before.followedBy(Draft.of(handler).withPayload(payload), resultName, when);
        }
    }

    /** @param handler {@code null} if this application does not have it */
    private record NamedStep(
            JobChain before, String name, @Nullable Handler handler, ChainStep.When when)
            implements ChainSpec.Named, Open {

        @Override
        public ChainSpec with(Map<String, ? extends @Nullable Object> arguments) {
            Payloads payloads = before.parts.payloads();
            if (handler == null) {
                String payload = payloads.encodeNamed(name, null, arguments);
                return before.followedBy(Draft.named(name).withPayload(payload), null, when);
            }
            String resultName = payloads.lastMissing(handler, arguments);
            String payload = resultName == null
                    ? payloads.encodeNamed(name, handler, arguments)
                    : payloads.encodeAllButLast(handler, arguments);
            return before.followedBy(Draft.of(handler).withPayload(payload), resultName, when);
        }

        @Override
        public ChainSpec ended() {
            return with(Map.of());
        }
    }
}
