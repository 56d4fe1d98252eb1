package io.delayjob.client;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.delayjob.ChainSpec;
import io.delayjob.JobGroup;
import io.delayjob.NamedJobs;
import io.delayjob.ScheduleSpec;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadTooLongException;
import io.delayjob.job.BulkResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChainStep;
import io.delayjob.job.ChainStep.When;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.GroupClosedException;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What {@link NamedJobs} do, in the process of the engine as well as over HTTP. */
abstract class NamedJobsContract {

    static final JobServer SERVER = new JobServer("delayjob.store=memory");

    /** Returns the server that has the jobs. */
    JobServer server() {
        return SERVER;
    }

    abstract NamedJobs jobs();

    private ScheduleSpec remind(long order) {
        return jobs().schedule("remind").with(Map.of("orderId", order));
    }

    private Job find(JobId id) {
        return jobs().find(id).orElseThrow();
    }

    @Test
    void job_hasAllStatedValues() {
        Scheduled scheduled = remind(42)
                .key("all " + UUID.randomUUID(), OnExisting.FAIL)
                .queue("mail")
                .retry(RetryPolicy.gaps(ofMinutes(1)))
                .after(ofHours(1));

        assertThat(scheduled.outcome()).isEqualTo(Outcome.CREATED);
        assertThat(scheduled.state()).isEqualTo(JobState.DELAYED);
        Job job = find(scheduled.id());
        assertThat(job.name()).isEqualTo("remind");
        assertThat(job.payload()).isEqualTo("{\"orderId\":42}");
        assertThat(job.partition().queue()).isEqualTo("mail");
        assertThat(job.retry()).isEqualTo(RetryPolicy.gaps(ofMinutes(1)).toText());
        assertThat(Duration.between(job.scheduledAt(), job.dueAt())).isEqualTo(ofHours(1));
        assertThat(job.state()).isEqualTo(JobState.DELAYED);
        assertThat(job.run()).isEqualTo(1);
    }

    @Test
    void job_hasItsExpiryKeysAndLabels_andInTheEndItsResult() {
        JobId id = remind(42)
                .label("web")
                .label("customer:7")
                .mutex("account-7")
                .fairKey("acme")
                .expiresAfter(ofMinutes(10))
                .now()
                .id();

        Job waiting = find(id);
        assertThat(waiting.labels()).containsExactly("customer:7", "web");
        assertThat(waiting.mutex()).isEqualTo("account-7");
        assertThat(waiting.fairKey()).isEqualTo("acme");
        assertThat(waiting.expiresAt()).isEqualTo(waiting.plannedAt().plus(ofMinutes(10)));
        assertThat(waiting.result()).isNull();

        server().claim(id);
        server().finish(id, "{\"sent\":3}");

        assertThat(find(id).result()).isEqualTo("{\"sent\":3}");
        assertThat(find(id).labels()).containsExactly("customer:7", "web");
    }

    @Test
    void runningJob_hasItsProgressAndItsLines_andTheEndedJobItsLines() {
        JobId id = remind(42).now().id();
        assertThat(jobs().progress(id)).isEmpty();
        assertThat(jobs().log(id)).isEmpty();
        JobLog log = new JobLog(1, List.of(new JobLog.Line(Instant.parse("2030-01-01T00:00:00.123Z"), "read page 17")));

        server().report(id, 17, log.lines().get(0));

        assertThat(jobs().progress(id)).contains(new Vitals.Progress(id, 1, 17, 40, "page 17"));
        assertThat(jobs().log(id)).contains(log);

        server().finish(id, extras -> extras.withLog(log).withResultMissing("it is too long"));

        assertThat(jobs().progress(id)).isEmpty();
        assertThat(jobs().log(id)).contains(log);
        assertThat(find(id).log()).isEqualTo(log);
        assertThat(find(id).extras().resultMissing()).isEqualTo("it is too long");
        JobId unknown = new JobId(UUID.randomUUID());
        assertThat(jobs().progress(unknown)).isEmpty();
        assertThat(jobs().log(unknown)).isEmpty();
    }

    @Test
    void job_hasItsMutex_andTheKeyOfItsRate() {
        JobId id = jobs().schedule("elsewhere")
                .mutex("customer-7")
                .rateKey("customer-7")
                .after(ofHours(1))
                .id();

        assertThat(find(id).mutex()).isEqualTo("customer-7");
        assertThat(find(id).rateKey()).isEqualTo("customer-7");
    }

    @Test
    void job_runsAtAnInstant_atOnce_orRepeatedly() {
        Instant instant = Instant.parse("2040-01-01T00:00:00Z");

        assertThat(find(remind(1).at(instant).id()).dueAt()).isEqualTo(instant);
        assertThat(find(remind(1).now().id()).state()).isEqualTo(JobState.READY);
        assertThat(find(remind(1).repeat(Repeat.every(ofHours(1)).times(3)).id())
                        .schedule())
                .isEqualTo("every:PT1H;times=3");
        assertThat(jobs().schedule("elsewhere").now().outcome()).isEqualTo(Outcome.CREATED);
    }

    @Test
    void takenKey_isTreatedByTheStatedPolicy() {
        String key = "taken/ü " + UUID.randomUUID();
        JobId first = remind(1).key(key).after(ofHours(1)).id();

        assertThat(remind(2).key(key).after(ofHours(1)))
                .isEqualTo(new Scheduled(first, Outcome.KEPT, JobState.DELAYED));
        assertThat(remind(2).key(key, OnExisting.REPLACE).after(ofHours(1)).outcome())
                .isEqualTo(Outcome.REPLACED);
        assertThat(remind(2).key(key, OnExisting.POSTPONE).after(ofHours(2)).outcome())
                .isEqualTo(Outcome.POSTPONED);
        assertThatThrownBy(() -> remind(2).key(key, OnExisting.FAIL).after(ofHours(1)))
                .isInstanceOf(JobExistsException.class)
                .hasMessageContaining(key);
        assertThat(jobs().find("remind", key).orElseThrow().id()).isEqualTo(first);
    }

    @Test
    void givenId_isKeptOnlyWithTheSameContent() {
        JobId id = new JobId(UUID.randomUUID());

        assertThat(remind(1).id(id).after(ofHours(1))).isEqualTo(new Scheduled(id, Outcome.CREATED, JobState.DELAYED));
        assertThat(remind(1).id(id).after(ofHours(1))).isEqualTo(new Scheduled(id, Outcome.KEPT, JobState.DELAYED));
        assertThatThrownBy(() -> remind(2).id(id).after(ofHours(1))).isInstanceOf(JobIdTakenException.class);
    }

    @Test
    void givenIdOfAJobWithAKey_findsTheJobAgain_evenAfterItsEnd() {
        for (OnExisting policy : List.of(OnExisting.KEEP, OnExisting.FAIL)) {
            String key = "repeated " + UUID.randomUUID();
            JobId id = new JobId(UUID.randomUUID());

            Scheduled first = remind(1).key(key, policy).id(id).after(ofHours(1));

            assertThat(first.outcome()).isEqualTo(Outcome.CREATED);
            assertThat(find(first.id()).key()).isEqualTo(key);
            assertThat(remind(1).key(key, policy).id(id).after(ofHours(1)))
                    .isEqualTo(new Scheduled(first.id(), Outcome.KEPT, JobState.DELAYED));
            assertThatThrownBy(() -> remind(2).key(key, policy).id(id).after(ofHours(1)))
                    .isInstanceOf(JobIdTakenException.class);
            assertThat(jobs().cancel(first.id())).isEqualTo(CancelResult.CANCELLED);
            assertThat(remind(1).key(key, policy).id(id).after(ofHours(1)))
                    .isEqualTo(new Scheduled(first.id(), Outcome.KEPT, JobState.CANCELLED));
        }
    }

    @Test
    void givenIdOfAChainWithAKey_findsTheJobsAgain() {
        String key = "chain " + UUID.randomUUID();
        JobId id = new JobId(UUID.randomUUID());
        ChainSpec.Named chain = remind(1).key(key).id(id).then("elsewhere");

        ScheduledChain first = chain.startAfter(ofHours(1));

        assertThat(first.followers()).hasSize(1);
        assertThat(chain.startAfter(ofHours(1)))
                .isEqualTo(new ScheduledChain(
                        new Scheduled(first.first().id(), Outcome.KEPT, JobState.DELAYED), first.followers()));
    }

    @Test
    void givenId_isRefusedTogetherWithReplaceOrPostpone() {
        String key = "changed " + UUID.randomUUID();
        remind(1).key(key).after(ofHours(1));

        for (OnExisting change : List.of(OnExisting.REPLACE, OnExisting.POSTPONE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> remind(1)
                            .id(new JobId(UUID.randomUUID()))
                            .key(key, change)
                            .after(ofHours(1)))
                    .withMessageContaining("must come without " + change);
        }
    }

    @Test
    void chain_liesInTheRowOfItsFirstJob() {
        ScheduledChain chain = remind(1)
                .label("web")
                .then("remind")
                .thenAlways("elsewhere")
                .with(Map.of("a", 1))
                .startAfter(ofHours(1));

        assertThat(chain.first().outcome()).isEqualTo(Outcome.CREATED);
        assertThat(chain.first().state()).isEqualTo(JobState.DELAYED);
        Job first = server().operations().find(chain.first().id()).orElseThrow();
        assertThat(first.payload()).isEqualTo("{\"orderId\":1}");
        assertThat(first.labels()).containsExactly("web");
        assertThat(first.extras().steps())
                .extracting(ChainStep::id, ChainStep::when, ChainStep::name, ChainStep::resultName, ChainStep::payload)
                .containsExactly(
                        tuple(chain.followers().get(0), When.FINISHED, "remind", "orderId", null),
                        tuple(chain.followers().get(1), When.FINISHED_OR_FAILED, "elsewhere", null, "{\"a\":1}"));
    }

    @Test
    void chain_startsAtAnInstant_atOnce_orAfterTheLastRun() {
        Instant instant = Instant.parse("2040-01-01T00:00:00Z");

        assertThat(find(remind(1).then("elsewhere").startAt(instant).first().id())
                        .dueAt())
                .isEqualTo(instant);
        assertThat(find(remind(1).then("elsewhere").now().first().id()).state()).isEqualTo(JobState.READY);
        assertThat(find(remind(1)
                                .then("elsewhere")
                                .repeatFirst(Repeat.every(ofHours(1)).times(3))
                                .first()
                                .id())
                        .schedule())
                .isEqualTo("every:PT1H;times=3");
    }

    @Test
    void repeatedChain_isKept_andAnotherOneRefused() {
        JobId id = new JobId(UUID.randomUUID());
        ScheduledChain chain = remind(1).id(id).then("elsewhere").startAfter(ofHours(1));

        assertThat(remind(1).id(id).then("elsewhere").startAfter(ofHours(1)))
                .isEqualTo(new ScheduledChain(new Scheduled(id, Outcome.KEPT, JobState.DELAYED), chain.followers()));
        assertThatThrownBy(() -> remind(1).id(id).thenAlways("elsewhere").startAfter(ofHours(1)))
                .isInstanceOf(JobIdTakenException.class);
        String key = "chain " + UUID.randomUUID();
        remind(1).key(key).after(ofHours(1));
        assertThat(remind(1).key(key).then("elsewhere").startAfter(ofHours(1)).followers())
                .as("the job that has the key keeps its own chain")
                .isEmpty();
    }

    @Test
    void badChain_isRefusedAtTheCall() {
        assertThatThrownBy(() ->
                        remind(1).then("remind").with(Map.of("orderId", "many")).now())
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("Invalid argument 'orderId'");
        assertThatThrownBy(() -> {
                    ChainSpec chain = remind(1).then("elsewhere");
                    for (int i = 0; i < ChainStep.MAX; i++) {
                        chain = chain.then("elsewhere");
                    }
                    chain.now();
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 20 jobs that follow");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> remind(1).then("elsewhere").startAfter(ofHours(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> remind(1).then("elsewhere").with(null).now());
    }

    /** Returns a group that no other test has. */
    private JobGroup group() {
        return jobs().group("import-ü " + UUID.randomUUID());
    }

    private static GroupStatus status(JobGroup group) {
        return group.find().orElseThrow();
    }

    @Test
    void members_areCounted_andKnowTheirGroup() {
        JobGroup group = group();
        assertThat(group.find()).isEmpty();

        group.add(remind(1)).add(remind(2).key("2 " + group.name()).label("web"));
        JobId failing = remind(3).group(group.name()).now().id();
        server().claim(failing);
        server().fail(failing);

        assertThat(status(group).name()).isEqualTo(group.name());
        assertThat(status(group).state()).isEqualTo(GroupState.OPEN);
        assertThat(status(group).counts()).isEqualTo(new GroupCounts(3, 0, 1, 0));
        assertThat(status(group).endedAt()).isNull();
        assertThat(find(failing).extras().groupName()).isEqualTo(group.name());
        assertThat(jobs().groups(500)).contains(status(group));
        assertThat(jobs().endedGroups(500)).extracting(GroupStatus::name).doesNotContain(group.name());
        assertThat(server().operations().group(group.name()).find()).contains(status(group));
    }

    @Test
    void memberWithAnId_countsOnce_howeverOftenItIsAdded() {
        JobGroup group = group();
        JobId id = new JobId(UUID.randomUUID());

        group.add(remind(1).id(id)).add(remind(1).id(id));

        assertThat(status(group).counts().begun()).isEqualTo(1);
        assertThatThrownBy(() -> remind(1).id(id).now()).isInstanceOf(JobIdTakenException.class);
        server().claim(id);
        server().finish(id, "1");
        group.close();
        server().fold();
        assertThat(status(group).state()).isEqualTo(GroupState.ENDED);
        group.add(remind(1).id(id));
    }

    @Test
    void chainInAGroup_isAMember() {
        JobGroup group = group();

        JobId first =
                remind(1).group(group.name()).then("elsewhere").now().first().id();

        assertThat(status(group).counts().begun()).isEqualTo(1);
        assertThat(find(first).extras().groupName()).isEqualTo(group.name());
    }

    @Test
    void jobThatFollowsAGroup_isDueOnceAllMembersHaveEnded() {
        JobGroup group = group();
        JobId member = remind(1).group(group.name()).now().id();

        JobId follower = group.whenAllEnded(remind(2).label("web"));

        assertThat(jobs().find(follower)).isEmpty();
        assertThat(status(group).state()).isEqualTo(GroupState.CLOSED);
        server().claim(member);
        server().finish(member, "1");
        server().fold();
        assertThat(find(follower).payload()).isEqualTo("{\"orderId\":2}");
        assertThat(find(follower).labels()).containsExactly("web");
        assertThat(status(group).counts()).isEqualTo(new GroupCounts(1, 1, 0, 0));
        assertThat(status(group).endedAt()).isNotNull();
        assertThat(jobs().endedGroups(500)).contains(status(group));
    }

    @Test
    void jobThatWaitsForAFailure_isDueWhenAMemberHasFailed() {
        JobGroup group = group();
        JobId alarm = new JobId(UUID.randomUUID());
        group.whenAnyFails(remind(9).id(alarm)).whenAnyFails(remind(9).id(alarm));
        JobId member = remind(1).group(group.name()).now().id();
        group.add(remind(2));
        server().claim(member);
        server().fail(member);
        server().fold();

        group.whenAnyFails(remind(9).id(alarm));

        assertThat(find(alarm).payload()).isEqualTo("{\"orderId\":9}");
    }

    @Test
    void secondClose_isRefused_unlessItRepeatsTheFirst() {
        JobGroup group = group();
        JobId id = new JobId(UUID.randomUUID());
        group.add(remind(1));

        assertThat(group.whenAllEnded(remind(2).id(id))).isEqualTo(id);
        assertThat(group.whenAllEnded(remind(2).id(id))).isEqualTo(id);

        assertThatThrownBy(() -> group.whenAllEnded(remind(3).id(id))).isInstanceOf(JobIdTakenException.class);
        assertThatThrownBy(() -> group.whenAllEnded(remind(2)))
                .isInstanceOf(GroupClosedException.class)
                .hasMessageContaining("'" + group.name() + "' is closed already");
        assertThatThrownBy(group::close).isInstanceOf(GroupClosedException.class);
    }

    @Test
    void cancelledGroup_takesNothingMore() {
        JobGroup group = group();
        group.add(remind(1)).add(remind(2));
        JobId running = remind(3).group(group.name()).now().id();
        server().claim(running);

        assertThat(group.cancel()).isEqualTo(new BulkResult(3, 0));

        assertThat(status(group).state()).isEqualTo(GroupState.CANCELLED);
        assertThat(find(running).cancelRequested()).isTrue();
        assertThatThrownBy(() -> group.add(remind(4)))
                .isInstanceOf(GroupEndedException.class)
                .hasMessageContaining("'" + group.name() + "' has ended or was cancelled");
        assertThatThrownBy(() -> group.whenAllEnded(remind(4))).isInstanceOf(GroupEndedException.class);
        assertThatThrownBy(() -> group.whenAnyFails(remind(4))).isInstanceOf(GroupEndedException.class);
        assertThatThrownBy(group::close).isInstanceOf(GroupEndedException.class);
        assertThat(group().cancel()).as("a group that does not exist").isEqualTo(new BulkResult(0, 0));
        JobGroup ended = group();
        ended.close();
        server().fold();
        assertThat(ended.cancel()).isEqualTo(new BulkResult(0, 0));
        assertThat(status(ended).state()).isEqualTo(GroupState.ENDED);
    }

    @Test
    void badGroups_areRefusedAtTheCall() {
        JobGroup group = group();

        assertThatIllegalArgumentException().isThrownBy(() -> jobs().group(" ")).withMessageContaining("1 to 100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group.whenAllEnded(remind(1).key(1)))
                .withMessageContaining("must not have a key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group.whenAnyFails(remind(1).group("import-1")))
                .withMessageContaining("a group cannot contain another group");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group.add(remind(1).key(1, OnExisting.REPLACE)))
                .withMessageContaining("must come without REPLACE");
        assertThatIllegalArgumentException().isThrownBy(() -> jobs().groups(0));
        assertThatThrownBy(() -> group.whenAllEnded(jobs().schedule("remind")))
                .isInstanceOf(InvalidPayloadException.class);
        assertThat(group.find()).isEmpty();
    }

    @Test
    void jobThatAwaitsAnAnswer_isShownAsAwaiting() {
        JobId id = remind(1).now().id();
        server().claim(id);
        server().await(id);

        Job job = find(id);
        assertThat(job.state()).isEqualTo(JobState.AWAITING);
        assertThat(job.awaiting()).isTrue();
        assertThat(job.isUnderWay()).isTrue();
        assertThat(job.awaitedUntil()).isEqualTo(job.dueAt());
        assertThat(find(remind(1).after(ofHours(1)).id()).awaiting()).isFalse();
    }

    @Test
    void badInput_isRefusedAtTheCall() {
        assertThatThrownBy(() -> jobs().schedule("remind").now())
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("Missing argument 'orderId'");
        assertThatThrownBy(() -> jobs().schedule("remind")
                        .with(Map.of("orderId", "many"))
                        .now())
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("Invalid argument 'orderId'");
        assertThatThrownBy(() -> jobs().schedule("elsewhere")
                        .with(Map.of("a", "x".repeat(1_000)))
                        .now())
                .isInstanceOf(PayloadTooLongException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> remind(1).key("").now())
                .withMessageContaining("key");
        assertThatIllegalArgumentException().isThrownBy(() -> remind(1).after(ofHours(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> remind(1).id(null));
        assertThatIllegalArgumentException().isThrownBy(() -> remind(1).queue(null));
    }

    @Test
    void cancel_returnsTheResult() {
        JobId waiting = remind(1).after(ofHours(1)).id();
        JobId running = remind(1).now().id();
        server().claim(running);
        JobId failed = remind(1).now().id();
        server().claim(failed);
        server().fail(failed);
        String key = "cancel " + UUID.randomUUID();
        remind(1).key(key).after(ofHours(1));

        assertThat(jobs().cancel(waiting)).isEqualTo(CancelResult.CANCELLED);
        assertThat(find(waiting).state()).isEqualTo(JobState.CANCELLED);
        assertThat(find(waiting).endedAt()).isNotNull();
        assertThat(jobs().cancel(running)).isEqualTo(CancelResult.RUNNING);
        assertThat(jobs().cancel(failed)).isEqualTo(CancelResult.ALREADY_ENDED);
        assertThat(jobs().cancel("remind", key)).isEqualTo(CancelResult.CANCELLED);
        assertThat(jobs().cancel("remind", key)).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(jobs().cancel(new JobId(UUID.randomUUID()))).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    void reschedule_returnsTheResult() {
        JobId id = remind(1).after(ofHours(1)).id();
        Instant instant = Instant.parse("2041-01-01T00:00:00Z");

        assertThat(jobs().reschedule(id, instant)).isEqualTo(ChangeResult.CHANGED);
        assertThat(find(id).dueAt()).isEqualTo(instant);
        assertThat(jobs().reschedule(id, Duration.ZERO)).isEqualTo(ChangeResult.CHANGED);
        server().claim(id);
        assertThat(jobs().reschedule(id, instant)).isEqualTo(ChangeResult.RUNNING);
        server().fail(id);
        assertThat(jobs().reschedule(id, instant)).isEqualTo(ChangeResult.ALREADY_ENDED);
        assertThat(jobs().reschedule(new JobId(UUID.randomUUID()), instant)).isEqualTo(ChangeResult.NOT_FOUND);
    }

    @Test
    void retry_makesAFailedJobDueAgain() {
        JobId id = remind(1).now().id();
        assertThat(jobs().retry(id)).isEqualTo(ChangeResult.WAITING);
        server().claim(id);
        server().fail(id);

        assertThat(find(id).failure()).isNotNull();
        assertThat(find(id).failure().type()).isEqualTo("CarrierException");
        assertThat(jobs().retry(id, ofMinutes(5))).isEqualTo(ChangeResult.CHANGED);
        assertThat(find(id).state()).isEqualTo(JobState.DELAYED);
        server().claim(id);
        server().fail(id);
        assertThat(jobs().retry(id)).isEqualTo(ChangeResult.CHANGED);
        assertThat(jobs().retry(new JobId(UUID.randomUUID()))).isEqualTo(ChangeResult.NOT_FOUND);
    }

    @Test
    void findByKey_prefersTheUnfinishedJob() {
        String key = "find " + UUID.randomUUID();
        JobId older = remind(1).key(key).after(ofHours(1)).id();
        jobs().cancel(older);
        JobId newer = remind(1).key(key).after(ofHours(1)).id();

        assertThat(jobs().find("remind", key).orElseThrow().id()).isEqualTo(newer);
        jobs().cancel(newer);
        assertThat(jobs().find("remind", key).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        assertThat(jobs().find("remind", "none " + key)).isEmpty();
        assertThat(jobs().find(new JobId(UUID.randomUUID()))).isEmpty();
    }

    /** Callers may state random ids, so the unfinished job may have the lowest id of its key. */
    @Test
    void findByKey_prefersTheUnfinishedJob_overMoreEndedJobsThanAPageHas() {
        String key = "busy " + UUID.randomUUID();
        for (int i = 0; i < 101; i++) {
            jobs().cancel(remind(1)
                    .key(key)
                    .id(new JobId(UUID.randomUUID()))
                    .after(ofHours(1))
                    .id());
        }
        long lowest = 0x4000;
        JobId unfinished = remind(1)
                .key(key)
                .id(new JobId(new UUID(lowest, UUID.randomUUID().getLeastSignificantBits())))
                .after(ofHours(1))
                .id();

        assertThat(jobs().find("remind", key).orElseThrow().state()).isEqualTo(JobState.DELAYED);
        assertThat(jobs().find("remind", key).orElseThrow().id()).isEqualTo(unfinished);
    }
}
