package io.delayjob;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.delayjob.Shop.CartCleanup;
import io.delayjob.Shop.UnpaidOrders;
import io.delayjob.Shop.Webhooks;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.JobId;
import io.delayjob.schedule.DurationText;
import io.delayjob.schedule.Misfire;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every method that does not accept {@code null} refuses it at the call. The message names the parameter and
 * the rule.
 */
class NullInputTest {

    private static final Desk DESK = new Desk();
    private static final DelayJobOperations JOBS = DESK.jobs;
    private static final ScheduleSpec PURGE = JOBS.schedule(CartCleanup::purge);
    private static final NamedSpec ELSEWHERE = JOBS.schedule("elsewhere");
    private static final BulkSpec<Long> EACH =
            JOBS.schedule(UnpaidOrders::cancel).withEach(List.of(1L));
    private static final JobId ID = JobId.create(0, new Random(1));
    private static final Repeat DAILY = Repeat.every(ofDays(1));
    private static final RetryPolicy RETRY = RetryPolicy.defaults();

    @ParameterizedTest
    @MethodSource({"operations", "specs", "queries", "schedules", "retries", "handlers"})
    void nullInput_isRefusedByNameAndRule(String what, ThrowingCallable call) {
        assertThatIllegalArgumentException()
                .isThrownBy(call)
                .withMessageStartingWith("Invalid " + what + " null")
                .withMessageContaining(": must ");
        assertThat(DESK.isEmpty()).isTrue();
    }

    static Stream<Arguments> operations() {
        MethodReference kept = null;
        return Stream.of(
                refused("handler reference", () -> JOBS.schedule((MethodReference.NoPayload<CartCleanup>) null)),
                refused("handler reference", () -> JOBS.schedule((MethodReference.ContextOnly<CartCleanup>) null)),
                refused(
                        "handler reference",
                        () -> JOBS.schedule((MethodReference.OnePayload<UnpaidOrders, Long>) null)),
                refused(
                        "handler reference",
                        () -> JOBS.schedule((MethodReference.PayloadAndContext<UnpaidOrders, Long>) null)),
                refused(
                        "handler reference",
                        () -> JOBS.schedule((MethodReference.TwoPayloads<Webhooks, String, String>) null)),
                refused(
                        "handler reference",
                        () -> JOBS.schedule((MethodReference.TwoPayloadsAndContext<Webhooks, String, String>) null)),
                refused("job name", () -> JOBS.schedule((String) null)),
                refused("job id", () -> JOBS.cancel((JobId) null)),
                refused("handler reference", () -> JOBS.cancel(kept, 1)),
                refused("key", () -> JOBS.cancel(CartCleanup::purge, null)),
                refused("job name", () -> JOBS.cancel((String) null, 1)),
                refused("key", () -> JOBS.cancel("purge-carts", null)),
                refused("key", () -> JOBS.cancel("elsewhere", null)),
                refused("job id", () -> JOBS.reschedule((JobId) null, ofSeconds(1))),
                refused("delay", () -> JOBS.reschedule(ID, (Duration) null)),
                refused("job id", () -> JOBS.reschedule(null, Instant.EPOCH)),
                refused("instant", () -> JOBS.reschedule(ID, (Instant) null)),
                refused("job id", () -> JOBS.retry((JobId) null)),
                refused("query", () -> JOBS.retry((JobQuery) null)),
                refused("query", () -> JOBS.cancel((JobQuery) null)),
                refused("query", () -> JOBS.reschedule((JobQuery) null, Duration.ZERO)),
                refused("query", () -> JOBS.stream(null)),
                refused("handler reference", () -> JOBS.pause(kept)),
                refused("job name", () -> JOBS.pause((String) null)),
                refused("queue", () -> JOBS.pauseQueue(null)),
                refused("handler reference", () -> JOBS.resume(kept)),
                refused("job name", () -> JOBS.resume((String) null)),
                refused("queue", () -> JOBS.resumeQueue(null)),
                refused("job id", () -> JOBS.find((JobId) null)),
                refused("job name", () -> JOBS.find(null, "key")),
                refused("key", () -> JOBS.find("purge-carts", null)),
                refused("query", () -> JOBS.find((JobQuery) null)));
    }

    static Stream<Arguments> specs() {
        return Stream.of(
                refused("key", () -> PURGE.key(null)),
                refused("OnExisting", () -> PURGE.key("k", null)),
                refused("queue", () -> PURGE.queue(null)),
                refused("retry policy", () -> PURGE.retry(null)),
                refused("delay", () -> PURGE.after(null)),
                refused("instant", () -> PURGE.at(null)),
                refused("schedule", () -> PURGE.repeat(null)),
                refused("map of arguments", () -> ELSEWHERE.with((Map<String, ?>) null)),
                refused("argument name", () -> ELSEWHERE.with(Collections.singletonMap(null, 1))),
                refused("argument name", () -> JOBS.schedule("purge-carts").with(Collections.singletonMap(null, 1))),
                refused(
                        "argument name",
                        () -> ELSEWHERE.then("cancel-unpaid-order").with(Collections.singletonMap(null, 1))),
                refused("list of arguments", () -> JOBS.schedule("purge-carts").with((List<?>) null)),
                refused("list of arguments", () -> ELSEWHERE.with((List<?>) null)),
                refused("key", () -> ELSEWHERE.key(null)),
                refused("queue", () -> ELSEWHERE.queue(null)),
                refused("retry policy", () -> ELSEWHERE.retry(null)),
                refused("delay", () -> ELSEWHERE.after(null)),
                refused("instant", () -> ELSEWHERE.at(null)),
                refused("schedule", () -> ELSEWHERE.repeat(null)),
                refused("payload", () -> JOBS.schedule(UnpaidOrders::cancel).with(null)),
                refused("payload", () -> JOBS.schedule(Webhooks::send).with(null, "b")),
                refused("payloads", () -> JOBS.schedule(UnpaidOrders::cancel).withEach(null)),
                refused("key function", () -> EACH.key((Function<Long, ?>) null)),
                refused("OnExisting", () -> EACH.key(id -> id, null)),
                refused("queue", () -> EACH.queue(null)),
                refused("retry policy", () -> EACH.retry(null)),
                refused("duration to spread jobs over", () -> EACH.spreadOver(null)),
                refused("delay", () -> EACH.after(null)),
                refused("instant", () -> EACH.at(null)));
    }

    static Stream<Arguments> queries() {
        JobQuery all = JobQuery.all();
        return Stream.of(
                refused("state", () -> JobQuery.state(null)),
                refused("job name", () -> all.name(null)),
                refused("key", () -> all.key(null)),
                refused("cursor", () -> all.after(null)),
                refused("queue", () -> all.queue(null)),
                refused("type of an error", () -> all.error(null)),
                refused("instant", () -> all.from(null)),
                refused("instant", () -> all.until(null)),
                refused("order", () -> all.order(null)),
                refused("job id", () -> JobId.parse(null)));
    }

    static Stream<Arguments> schedules() {
        Duration none = null;
        return Stream.of(
                refused("gap 1", () -> Repeat.finite(null)),
                refused("gap 2", () -> Repeat.finite(ofSeconds(1), none)),
                refused("list of durations", () -> Repeat.finite(ofSeconds(1), (Duration[]) null)),
                refused("gap 1", () -> Repeat.infinite(null)),
                refused("offset 1", () -> Repeat.offsets(null)),
                refused("offset 2", () -> Repeat.offsets(ofSeconds(1), none)),
                refused("first gap", () -> Repeat.growing(null, 2)),
                refused("limit", () -> Repeat.growing(ofSeconds(1), 2).upTo(null)),
                refused("period", () -> Repeat.every((Duration) null)),
                refused("period", () -> Repeat.every((Period) null)),
                refused("zone", () -> Repeat.every(Period.ofDays(1)).zone(null)),
                refused("cron expression", () -> Repeat.cron(null)),
                refused("until", () -> DAILY.until(null)),
                refused("jitter", () -> DAILY.jitter(null)),
                refused("starting", () -> DAILY.starting(null)),
                refused("misfire policy", () -> DAILY.misfire(null)),
                refused("duration", () -> DurationText.parse(null)),
                refused("planned time", () -> new Misfire.Merged(1, 1, 2, null)),
                refused("next occurrence", () -> new Misfire.Skipped(1, 1, noOccurrence())));
    }

    private static <T> Optional<T> noOccurrence() {
        return null;
    }

    static Stream<Arguments> retries() {
        Duration none = null;
        return Stream.of(
                refused("gap 1", () -> RetryPolicy.gaps(none)),
                refused("gap 2", () -> RetryPolicy.gaps(ofSeconds(1), none)),
                refused("list of gaps", () -> RetryPolicy.gaps((List<Duration>) null)),
                refused("delay", () -> RETRY.delay(null)),
                refused("maxDelay", () -> RETRY.maxDelay(null)),
                refused("jitter", () -> RETRY.jitter(null)),
                refused("exception types", () -> RETRY.includes((Class<? extends Throwable>[]) null)),
                refused("exception type", () -> RETRY.includes((Class<? extends Throwable>) null)),
                refused("exception types", () -> RETRY.excludes((Class<? extends Throwable>[]) null)),
                refused("exception type", () -> RETRY.excludes((Class<? extends Throwable>) null)),
                refused("retry policy", () -> RetryPolicy.parse(null)),
                refused("delay", () -> Next.after(null)),
                refused("delay of a snooze", () -> Next.snooze(null)));
    }

    static Stream<Arguments> handlers() {
        return Stream.of(
                refused("job name", () -> Handler.named(null).calls((arguments, job) -> null)),
                refused("set of former names", () -> handler().formerNames(null).calls((arguments, job) -> null)),
                refused(
                        "job name",
                        () -> handler()
                                .formerNames(new HashSet<>(Collections.singletonList(null)))
                                .calls((arguments, job) -> null)),
                refused("queue", () -> handler().queue(null).calls((arguments, job) -> null)),
                refused(
                        "list of parameters",
                        () -> handler()
                                .parameters((List<PayloadParameter>) null)
                                .calls((arguments, job) -> null)),
                refused(
                        "parameter",
                        () -> handler()
                                .parameters(Arrays.asList((PayloadParameter) null))
                                .calls((arguments, job) -> null)),
                refused("delivery", () -> handler().delivery(null).calls((arguments, job) -> null)),
                refused("body", () -> handler().calls(null)),
                refused("body", () -> handler().calls((arguments, job) -> null).withBody(null)),
                refused("name of a parameter", () -> new PayloadParameter(null, long.class)),
                refused("type of parameter 'id'", () -> new PayloadParameter("id", null)),
                refused("handler", () -> new HandlerRegistry().register(null)));
    }

    private static Handler.Builder handler() {
        return Handler.named("handler");
    }

    private static Arguments refused(String what, ThrowingCallable call) {
        return arguments(what, call);
    }
}
