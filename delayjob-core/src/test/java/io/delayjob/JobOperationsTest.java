package io.delayjob;

import static io.delayjob.StandingClock.START;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.delayjob.Shop.CartCleanup;
import io.delayjob.Shop.Reminders;
import io.delayjob.Shop.UnpaidOrders;
import io.delayjob.Shop.Webhooks;
import io.delayjob.handler.Handler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.JobQuery;
import java.lang.reflect.ParameterizedType;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class JobOperationsTest {

    private final Desk desk = new Desk();
    private final DelayJobOperations jobs = desk.jobs;

    // ---- the written row

    @Test
    void schedule_payloadWithKeyAfter_writesAllOfIt() {
        long orderId = 42;
        Scheduled scheduled =
                jobs.schedule(UnpaidOrders::cancel).with(orderId).key(orderId).after(ofMinutes(30));

        assertThat(scheduled.outcome()).isEqualTo(Outcome.CREATED);
        Job job = desk.job(scheduled);
        assertThat(job.name()).isEqualTo("cancel-unpaid-order");
        assertThat(job.payload()).isEqualTo("{orderId=42}");
        assertThat(job.key()).isEqualTo("42");
        assertThat(job.schedule()).isNull();
        assertThat(job.retry()).isNull();
        assertThat(job.trace()).isNull();
        assertThat(job.scheduledAt()).isEqualTo(START);
        assertThat(job.plannedAt()).isEqualTo(START.plusSeconds(1800)).isEqualTo(job.dueAt());
        assertThat(job.run()).isEqualTo(1);
        assertThat(job.partition())
                .isEqualTo(new Partition("default", (int) (job.dueAt().toEpochMilli() % 8)));
    }

    @Test
    void schedule_whileTraced_writesTheTrace() {
        desk.trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

        Job one = desk.job(jobs.schedule(CartCleanup::purge).now());
        List<Scheduled> many =
                jobs.schedule(UnpaidOrders::cancel).withEach(List.of(1L, 2L)).now();

        assertThat(one.trace()).isEqualTo(desk.trace);
        assertThat(many).extracting(scheduled -> desk.job(scheduled).trace()).containsOnly(desk.trace);
    }

    @Test
    void schedule_payloadAndContextRepeat_writesTheScheduleAndItsFirstTime() {
        Repeat offsets = Repeat.offsets(ofHours(1), ofDays(1), ofDays(3));

        Job job = desk.job(jobs.schedule(Reminders::remind).with(7L).repeat(offsets));

        assertThat(job.payload()).isEqualTo("{customerId=7}");
        assertThat(job.schedule()).isEqualTo(offsets.toText());
        assertThat(job.dueAt()).isEqualTo(job.plannedAt()).isEqualTo(START.plus(ofHours(1)));
    }

    @Test
    void schedule_everyKindOfHandler_isUnderstood() {
        assertThat(desk.job(jobs.schedule(CartCleanup::purge).now()))
                .extracting(Job::name, Job::payload)
                .containsExactly("purge-carts", null);
        assertThat(desk.job(jobs.schedule(CartCleanup::watch).now()))
                .extracting(Job::name, Job::payload)
                .containsExactly("watch-carts", null);
        assertThat(desk.job(jobs.schedule(Webhooks::send).with("http://a", "b").now()))
                .extracting(Job::name, Job::payload)
                .containsExactly("send-webhook", "{body=b, url=http://a}");
        assertThat(desk.job(jobs.schedule(Webhooks::log).with("http://a", "b").now()))
                .extracting(Job::name, Job::payload)
                .containsExactly("log-webhook", "{body=b, url=http://a}");
    }

    @Test
    void schedule_queueAndRetry_areTheHandlersUnlessStated() {
        ScheduleSpec send = jobs.schedule(Webhooks::send).with("u", "b");
        RetryPolicy policy = RetryPolicy.gaps(ofSeconds(10), ofMinutes(1));

        assertThat(desk.job(send.now()).partition().queue()).isEqualTo("hooks");
        Job other = desk.job(send.queue("slow.hooks").retry(policy).now());
        assertThat(other.partition().queue()).isEqualTo("slow.hooks");
        assertThat(other.retry()).isEqualTo(policy.toText());
        assertThat(desk.job(send.now()).retry()).as("steps change nothing").isNull();
    }

    @Test
    void schedule_byNameOfAHandlerElsewhere_writesArgumentsByName() {
        Instant instant = START.plus(ofDays(1));

        Job job =
                desk.job(jobs.schedule("elsewhere").with(Map.of("orderId", 42)).at(instant));

        assertThat(job.name()).isEqualTo("elsewhere");
        assertThat(job.payload()).isEqualTo("{orderId=42}");
        assertThat(job.dueAt()).isEqualTo(instant);
        assertThat(job.partition().queue()).isEqualTo("default");
    }

    @Test
    void schedule_byNameOfAHandlerHere_takesArgumentsInOrder() {
        Job job = desk.job(
                jobs.schedule("send-webhook").with(Arrays.asList("u", null)).now());

        assertThat(job.payload()).isEqualTo("{body=null, url=u}");
    }

    @Test
    void schedule_byNameOfAHandlerHere_mayLeaveOutOptionalArguments() throws Exception {
        ParameterizedType ofText =
                (ParameterizedType) Box.class.getDeclaredField("value").getGenericType();
        desk.handlers.register(Handler.named("greet")
                .parameters(
                        new PayloadParameter("name", String.class, true),
                        new PayloadParameter("title", ofText),
                        new PayloadParameter("rank", Optional.class))
                .calls((arguments, job) -> null));

        assertThat(desk.job(jobs.schedule("greet").now()).payload()).isNull();
        assertThat(desk.job(jobs.schedule("greet").with(Map.of("name", "Ann")).now())
                        .payload())
                .isEqualTo("{name=Ann}");
        assertThat(desk.job(jobs.schedule("purge-carts").now()).payload()).isNull();
        assertThat(desk.job(jobs.schedule("watch-carts").now()).payload())
                .as("its context is no payload")
                .isNull();
    }

    private record Box(Optional<String> value) {}

    @Test
    void schedule_byNameOfAHandlerHere_takesAGivenNull() {
        Map<String, String> arguments = new HashMap<>(Map.of("url", "u"));
        arguments.put("body", null);

        assertThat(desk.job(jobs.schedule("send-webhook").with(arguments).now()).payload())
                .isEqualTo("{body=null, url=u}");
    }

    @Test
    void schedule_byNameWithoutPayload_takesEveryStep() {
        NamedSpec spec = jobs.schedule("elsewhere");

        assertThat(desk.job(spec.now()).payload()).isNull();
        assertThat(desk.job(spec.after(ofMillis(1))).dueAt()).isEqualTo(START.plusMillis(1));
        assertThat(desk.job(spec.at(START.plusMillis(2))).dueAt()).isEqualTo(START.plusMillis(2));
        assertThat(desk.job(spec.repeat(Repeat.every(ofMillis(3)))).dueAt()).isEqualTo(START.plusMillis(3));
        assertThat(desk.job(spec.key("k").now()).key()).isEqualTo("k");
        assertThat(desk.job(spec.queue("q").now()).partition().queue()).isEqualTo("q");
        assertThat(desk.job(spec.retry(RetryPolicy.none()).now()).retry())
                .isEqualTo(RetryPolicy.none().toText());
    }

    @Test
    void schedule_byFormerNameOfAHandlerHere_takesItsNameAndQueue() {
        assertThat(desk.job(jobs.schedule("drop-order")
                                .with(Map.of("orderId", 1))
                                .now())
                        .name())
                .isEqualTo("cancel-unpaid-order");
        NamedSpec webhook = jobs.schedule("send-webhook");
        assertThat(desk.job(webhook.with(List.of("u", "b")).now()).partition().queue())
                .isEqualTo("hooks");
    }

    @Test
    void schedule_manyJobs_haveIdsAndTokensOfTheirOwn() {
        jobs.schedule(UnpaidOrders::cancel)
                .withEach(LongStream.range(0, 1_000).boxed().toList())
                .now();

        Set<Object> distinct = new HashSet<>();
        desk.handedOver.forEach(row -> distinct.addAll(List.of(row.id(), row.token())));
        assertThat(distinct).hasSize(2_000);
    }

    @Test
    void schedule_manyJobs_haveIdsInTheOrderOfTheirPayloads() {
        List<Scheduled> scheduled = jobs.schedule(UnpaidOrders::cancel)
                .withEach(LongStream.range(0, 1_000).boxed().toList())
                .now();

        assertThat(scheduled).extracting(Scheduled::id).isSorted();
    }

    @Test
    void schedule_passesTheRowToTheSink() {
        Scheduled scheduled = jobs.schedule(CartCleanup::purge).after(ofSeconds(1));

        assertThat(desk.handedOver).containsExactly(desk.job(scheduled).toDueRow());
    }

    // ---- the due time

    @Test
    void now_isDueAtOnce() {
        Scheduled scheduled = jobs.schedule(CartCleanup::purge).now();

        assertThat(desk.job(scheduled).dueAt()).isEqualTo(START);
        assertThat(desk.job(scheduled).state()).isEqualTo(JobState.READY);
    }

    @Test
    void after_isRoundedUpToMilliseconds() {
        ScheduleSpec purge = jobs.schedule(CartCleanup::purge);

        assertThat(desk.job(purge.after(Duration.ZERO)).dueAt()).isEqualTo(START);
        assertThat(desk.job(purge.after(ofNanos(1))).dueAt()).isEqualTo(START.plusMillis(1));
        assertThat(desk.job(purge.after(ofMillis(5))).dueAt()).isEqualTo(START.plusMillis(5));
    }

    @Test
    void after_withinAMillisecond_isNeverEarly() {
        desk.clock.advance(ofNanos(300_000));

        assertThat(desk.job(jobs.schedule(CartCleanup::purge).after(ofMillis(5)))
                        .dueAt())
                .as("0.3 ms + 5 ms")
                .isEqualTo(START.plusMillis(6));
        assertThat(desk.job(jobs.schedule(CartCleanup::purge).repeat(Repeat.every(ofMillis(5))))
                        .dueAt())
                .isEqualTo(START.plusMillis(6));
        assertThat(desk.job(jobs.schedule(CartCleanup::purge).now()).state()).isEqualTo(JobState.READY);
    }

    @Test
    void after_countsFromTheCallNotFromTheSpec() {
        ScheduleSpec purge = jobs.schedule(CartCleanup::purge);
        desk.clock.advance(ofSeconds(10));

        assertThat(desk.job(purge.after(ofSeconds(1))).dueAt()).isEqualTo(START.plusSeconds(11));
    }

    @Test
    void at_past_isDueNow_andFractions_areRoundedUp() {
        ScheduleSpec purge = jobs.schedule(CartCleanup::purge);

        assertThat(desk.job(purge.at(START.minusSeconds(60))).dueAt()).isEqualTo(START);
        assertThat(desk.job(purge.at(Instant.MIN)).dueAt()).isEqualTo(START);
        assertThat(desk.job(purge.at(START.plusNanos(1))).dueAt()).isEqualTo(START.plusMillis(1));
        assertThat(desk.job(purge.at(Instant.parse("9999-12-31T23:59:59.999Z"))).dueAt())
                .isEqualTo(Instant.parse("9999-12-31T23:59:59.999Z"));
    }

    @Test
    void repeat_withJitter_delaysTheFirstAttemptAndNotThePlan() {
        Repeat jittered = Repeat.every(ofHours(1)).jitter(ofMinutes(10));

        List<Job> first = IntStream.range(0, 50)
                .mapToObj(i -> desk.job(jobs.schedule(CartCleanup::purge).repeat(jittered)))
                .toList();

        assertThat(first).extracting(Job::plannedAt).containsOnly(START.plus(ofHours(1)));
        assertThat(first)
                .extracting(Job::dueAt)
                .allSatisfy(due -> assertThat(due).isBetween(START.plus(ofHours(1)), START.plus(ofMinutes(70))));
        assertThat(first).extracting(Job::dueAt).doesNotHaveDuplicates();
    }

    @Test
    void repeat_startingInThePast_isDueNowAndKeepsItsPlan() {
        Instant starting = START.minus(ofDays(2));

        Job job = desk.job(
                jobs.schedule(CartCleanup::purge).repeat(Repeat.every(ofDays(1)).starting(starting)));

        assertThat(job.plannedAt()).isEqualTo(starting);
        assertThat(job.dueAt()).isEqualTo(START);
    }

    // ---- keys

    @Test
    void key_taken_isKeptReplacedPostponedOrRefused() {
        Scheduled first = jobs.schedule(UnpaidOrders::cancel).with(1L).key("k").after(ofHours(1));
        ScheduleSpec second = jobs.schedule(UnpaidOrders::cancel).with(2L);

        assertThat(second.key("k").now()).isEqualTo(new Scheduled(first.id(), Outcome.KEPT, JobState.DELAYED));
        assertThat(second.key("k", OnExisting.POSTPONE).after(ofHours(2)))
                .isEqualTo(new Scheduled(first.id(), Outcome.POSTPONED, JobState.DELAYED));
        assertThat(desk.job(first).payload()).isEqualTo("{orderId=1}");
        assertThat(second.key("k", OnExisting.REPLACE).after(ofHours(3)))
                .isEqualTo(new Scheduled(first.id(), Outcome.REPLACED, JobState.DELAYED));
        assertThat(desk.job(first).payload()).isEqualTo("{orderId=2}");
        assertThatExceptionOfType(JobExistsException.class)
                .isThrownBy(() -> second.key("k", OnExisting.FAIL).now());
    }

    // ---- many jobs at once

    @Test
    void withEach_writesOneJobEach_inTheirOrder() {
        List<Scheduled> scheduled = jobs.schedule(Reminders::remind)
                .withEach(List.of(1L, 2L, 3L))
                .key(customer -> "c" + customer)
                .queue("mail")
                .retry(RetryPolicy.none())
                .after(ofMinutes(1));

        assertThat(scheduled)
                .extracting(desk::job)
                .extracting(Job::payload, Job::key, job -> job.partition().queue(), Job::retry, job -> job.dueAt())
                .containsExactly(
                        tuple("{customerId=1}", "c1", "mail", RetryPolicy.none().toText(), START.plusSeconds(60)),
                        tuple("{customerId=2}", "c2", "mail", RetryPolicy.none().toText(), START.plusSeconds(60)),
                        tuple("{customerId=3}", "c3", "mail", RetryPolicy.none().toText(), START.plusSeconds(60)));
        assertThat(desk.told).containsExactly("remind-customer x 3");
    }

    @Test
    void withEach_spreadOver_isEven() {
        BulkSpec<Long> each =
                jobs.schedule(Reminders::remind).withEach(List.of(1L, 2L, 3L)).spreadOver(ofSeconds(1));

        assertThat(each.now())
                .extracting(desk::job)
                .extracting(Job::dueAt)
                .containsExactly(START, START.plusMillis(333), START.plusMillis(666));
        assertThat(each.at(START.plusSeconds(9)))
                .extracting(desk::job)
                .extracting(Job::plannedAt)
                .containsExactly(START.plusSeconds(9), START.plusMillis(9_333), START.plusMillis(9_666));
    }

    @Test
    void withEach_spreadOverMillennia_doesNotOverflow() {
        List<Long> many = LongStream.range(0, 100_000).boxed().toList();

        jobs.schedule(Reminders::remind)
                .withEach(many)
                .spreadOver(ofDays(365 * 7_000))
                .now();

        assertThat(desk.handedOver).extracting(DueRow::dueMillis).isSorted();
        assertThat(desk.handedOver.get(99_999).dueMillis() - START.toEpochMilli())
                .isBetween(ofDays(365 * 6_999).toMillis(), ofDays(365 * 7_000).toMillis());
    }

    @Test
    void withEach_nothing_writesNothing() {
        assertThat(jobs.schedule(Reminders::remind)
                        .withEach(List.of())
                        .key(id -> id)
                        .now())
                .isEmpty();
        assertThat(desk.told).isEmpty();
    }

    // ---- cancel, reschedule, retry, find

    @Test
    void cancel_byReferenceAndKey_findsTheJob() {
        Scheduled order = jobs.schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofHours(1));
        jobs.schedule(CartCleanup::purge).key("all").after(ofHours(1));
        jobs.schedule(Reminders::remind).with(1L).key(1).after(ofHours(1));
        jobs.schedule(Webhooks::send).with("u", "b").key("u").after(ofHours(1));
        jobs.schedule(Webhooks::log).with("u", "b").key("u").after(ofHours(1));
        desk.told.clear();

        assertThat(jobs.cancel(UnpaidOrders::cancel, 42L)).isEqualTo(CancelResult.CANCELLED);
        assertThat(desk.job(order).state()).isEqualTo(JobState.CANCELLED);
        assertThat(jobs.cancel(CartCleanup::purge, "all")).isEqualTo(CancelResult.CANCELLED);
        assertThat(jobs.cancel(Reminders::remind, 1)).isEqualTo(CancelResult.CANCELLED);
        assertThat(jobs.cancel(Webhooks::send, "u")).isEqualTo(CancelResult.CANCELLED);
        assertThat(jobs.cancel(Webhooks::log, "u")).isEqualTo(CancelResult.CANCELLED);
        assertThat(jobs.cancel(UnpaidOrders::cancel, 43L)).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(desk.told)
                .containsExactly("CANCELLED", "CANCELLED", "CANCELLED", "CANCELLED", "CANCELLED", "NOT_FOUND");
    }

    @Test
    void cancel_byName_needsNoHandler() {
        jobs.schedule("elsewhere").key("k").after(ofHours(1));

        assertThat(jobs.cancel("elsewhere", "k")).isEqualTo(CancelResult.CANCELLED);
        assertThat(jobs.cancel("elsewhere", "k")).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    void cancel_ofARenamedHandler_cancelsJobsOfEveryName() {
        Job old = desk.job(jobs.schedule("x").key("other").after(ofHours(1)));
        NewJob before = stored("cancel-order", "42", old);
        desk.store.submit(List.of(before), rows -> {});
        Scheduled since = jobs.schedule(UnpaidOrders::cancel).with(42L).key(42).after(ofHours(1));

        assertThat(jobs.cancel(UnpaidOrders::cancel, 42)).isEqualTo(CancelResult.CANCELLED);

        assertThat(desk.job(since).state()).isEqualTo(JobState.CANCELLED);
        assertThat(desk.store.find(before.id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void cancel_ofARenamedHandler_answersRunningIfOneJobRuns() {
        Job old = desk.job(jobs.schedule("x").key("other").after(ofHours(1)));
        NewJob before = stored("drop-order", "42", old);
        desk.store.submit(List.of(before), rows -> {});
        desk.claim(before.id());

        assertThat(jobs.cancel("cancel-unpaid-order", 42)).isEqualTo(CancelResult.RUNNING);

        jobs.schedule(UnpaidOrders::cancel).with(42L).key(42).after(ofHours(1));
        assertThat(jobs.cancel(UnpaidOrders::cancel, 42)).isEqualTo(CancelResult.RUNNING);
    }

    @Test
    void cancel_byId_looksInTheHistoryToo() {
        Scheduled scheduled = jobs.schedule(CartCleanup::purge).now();

        assertThat(jobs.cancel(scheduled.id())).isEqualTo(CancelResult.CANCELLED);
        assertThat(jobs.cancel(scheduled.id())).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void reschedule_movesTheJobAndPassesItsRowToTheSink() {
        Scheduled scheduled = jobs.schedule(CartCleanup::purge).after(ofHours(1));
        desk.handedOver.clear();
        desk.clock.advance(ofMinutes(1));

        assertThat(jobs.reschedule(scheduled.id(), ofHours(2))).isEqualTo(ChangeResult.CHANGED);
        assertThat(desk.job(scheduled).dueAt()).isEqualTo(START.plus(ofMinutes(121)));
        assertThat(jobs.reschedule(scheduled.id(), START.plus(ofDays(1)))).isEqualTo(ChangeResult.CHANGED);
        assertThat(desk.job(scheduled).dueAt()).isEqualTo(START.plus(ofDays(1)));
        assertThat(jobs.reschedule(scheduled.id(), Duration.ZERO)).isEqualTo(ChangeResult.CHANGED);
        assertThat(desk.job(scheduled).state()).isEqualTo(JobState.READY);
        assertThat(desk.handedOver).hasSize(3).extracting(DueRow::token).doesNotHaveDuplicates();
    }

    @Test
    void retry_ofAJobThatDidNotFail_saysSo() {
        Scheduled scheduled = jobs.schedule(CartCleanup::purge).now();

        assertThat(jobs.retry(scheduled.id())).isEqualTo(ChangeResult.WAITING);
        jobs.cancel(scheduled.id());
        assertThat(jobs.retry(scheduled.id())).isEqualTo(ChangeResult.ALREADY_ENDED);
    }

    @Test
    void pause_byReferenceNameAndQueue_isStoredAndReadAtOnce() {
        desk.store.instances().register("elsewhere#1", Set.of("bulk"), Set.of(Set.of("elsewhere")));
        assertThat(jobs.pause(CartCleanup::purge)).isTrue();
        assertThat(jobs.pause("elsewhere")).isTrue();
        assertThat(jobs.pauseQueue("bulk")).isTrue();
        assertThat(jobs.pause("purge-carts")).as("again").isFalse();

        assertThat(jobs.paused()).isEqualTo(new Paused(Set.of("purge-carts", "elsewhere"), Set.of("bulk")));
        assertThat(jobs.resume(CartCleanup::purge)).isTrue();
        assertThat(jobs.resume("elsewhere")).isTrue();
        assertThat(jobs.resumeQueue("bulk")).isTrue();
        assertThat(jobs.resumeQueue("bulk")).as("again").isFalse();
        assertThat(jobs.paused()).isEqualTo(Paused.NOTHING);
        assertThat(desk.told).hasSize(8).containsOnly("look");
    }

    @Test
    void pause_ofANameThatOnlyWaitingJobsHave_isStored() {
        jobs.schedule("rolled-back").queue("rare").after(ofHours(1));
        assertThat(jobs.pause("rolled-back")).isTrue();
        assertThat(jobs.pauseQueue("rare")).isTrue();
        Scheduled due = jobs.schedule("overdue").now();
        assertThat(jobs.pause("overdue")).isTrue();
        jobs.cancel(due.id());
        assertThat(jobs.pause("overdue"))
                .as("it is paused, so its name is known")
                .isFalse();
        assertThat(jobs.resume("overdue")).as("a paused name can be resumed").isTrue();
    }

    @Test
    void pause_ofAnUnknownName_isRefused() {
        desk.store.instances().register("elsewhere#1", Set.of("bulk"), Set.of(Set.of("send-mail")));
        Stream.<ThrowingCallable>of(() -> jobs.pause("send-mial"), () -> jobs.resume("send-mial"))
                .forEach(slip -> assertThatExceptionOfType(UnknownNameException.class)
                        .isThrownBy(slip)
                        .withMessageStartingWith(
                                "Unknown handler 'send-mial': no instance has a handler of that name, and no waiting job has that name. The most similar of ")
                        .withMessageContaining(" handlers are 'send-mail', "));
        Stream.<ThrowingCallable>of(() -> jobs.pauseQueue("Bluk"), () -> jobs.resumeQueue("Bluk"))
                .forEach(slip -> assertThatExceptionOfType(UnknownNameException.class)
                        .isThrownBy(slip)
                        .withMessage("Unknown queue 'Bluk': it is not configured, no instance serves "
                                + "it, and it holds no unfinished job. The queues are 'bulk', "
                                + "'hooks', 'default'."));
        assertThat(jobs.paused()).isEqualTo(Paused.NOTHING);
    }

    @Test
    void pause_resumeAndCancel_takeAStoredReference() {
        MethodReference.NoPayload<CartCleanup> purge = CartCleanup::purge;
        MethodReference kept = purge;
        jobs.schedule(purge).key(1).after(ofHours(1));
        assertThat(jobs.pause(kept)).isTrue();
        assertThat(jobs.resume(kept)).isTrue();
        assertThat(jobs.cancel(kept, 1)).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void pause_ofARenamedHandler_pausesEveryName() {
        jobs.pause("drop-order");

        assertThat(jobs.paused().handlers()).containsExactly("cancel-order", "cancel-unpaid-order", "drop-order");
        jobs.resume(UnpaidOrders::cancel);
        assertThat(jobs.paused()).isEqualTo(Paused.NOTHING);
    }

    @Test
    void resume_byANameThatOnlyNewerInstancesKnow_resumesEveryName() {
        desk.store
                .instances()
                .register("newer#1", Set.of("default"), Set.of(Set.of("cancel-old-order", "cancel-unpaid-order")));
        Stream.<Runnable>of(() -> jobs.resume("cancel-old-order"), () -> jobs.resume(UnpaidOrders::cancel))
                .forEach(resumed -> {
                    desk.store.pause(
                            Paused.handlers(Set.of("cancel-old-order", "cancel-unpaid-order")),
                            new PauseNote(desk.clock.storeTime(), null, null),
                            () -> {});
                    resumed.run();
                    assertThat(jobs.paused()).isEqualTo(Paused.NOTHING);
                });
    }

    @Test
    void pause_byANameThatOnlyNewerInstancesKnow_pausesEveryName() {
        desk.store
                .instances()
                .register("newer#1", Set.of("default"), Set.of(Set.of("remind", "remind-of-order", "remind-customer")));
        desk.store.instances().register("newest#1", Set.of("default"), Set.of(Set.of("nudge", "remind")));

        jobs.pause("nudge");

        assertThat(jobs.paused().handlers()).containsExactly("nudge", "remind", "remind-customer", "remind-of-order");
        assertThat(jobs.pause("remind-customer")).as("again").isFalse();
        jobs.resume(Reminders::remind);
        assertThat(jobs.paused()).isEqualTo(Paused.NOTHING);
    }

    @Test
    void find_waitingAndDue_isReady() {
        Scheduled due = jobs.schedule(CartCleanup::purge).after(ofSeconds(1));
        Scheduled later = jobs.schedule(CartCleanup::purge).after(ofSeconds(9));
        assertThat(desk.job(due).state()).isEqualTo(JobState.DELAYED);

        desk.clock.advance(ofSeconds(1));

        assertThat(desk.job(due).state()).isEqualTo(JobState.READY);
        assertThat(jobs.find(JobQuery.all())).extracting(Job::state).containsOnly(JobState.READY, JobState.DELAYED);
        assertThat(jobs.find(JobQuery.state(JobState.READY)))
                .extracting(Job::id, Job::state)
                .containsExactly(tuple(due.id(), JobState.READY));
        assertThat(jobs.find(JobQuery.state(JobState.DELAYED)))
                .extracting(Job::id)
                .containsExactly(later.id());
    }

    @Test
    void listeners_areToldOfScheduledJobs() {
        jobs.schedule(CartCleanup::purge).now();

        assertThat(desk.told).containsExactly("purge-carts x 1");
    }

    @Test
    void listeners_areToldOnceOfARepeatedId() {
        JobId id = JobId.parse("018f0000-0000-7000-8000-000000000000");

        jobs.schedule(CartCleanup::purge).id(id).now();
        jobs.schedule(CartCleanup::purge).id(id).now();

        assertThat(desk.told).containsExactly("purge-carts x 1");
    }

    /** Returns a job as a version before the rename has stored it. */
    private NewJob stored(String name, String key, Job like) {
        return new NewJob(
                JobId.create(0, new Random(7)),
                like.partition(),
                JobTask.of(name).withKey(key),
                new JobPlan(null, null, like.scheduledAt(), 1, like.plannedAt(), like.dueAt()),
                OnExisting.KEEP,
                like.token() + 1);
    }
}
