package io.delayjob.test;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobOperations;
import io.delayjob.JobGroup;
import io.delayjob.ScheduleSpec;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.BulkResult;
import io.delayjob.job.GroupClosedException;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.ForwardingJobStore;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.StoreCapability;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups that engines run. */
class GroupInVirtualTimeTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    /** The bean of an application. */
    private final class Imports {

        void load(int row, JobContext job) {
            calls.add("load " + row);
            if (row < 0) {
                throw new IllegalStateException("row " + row);
            }
            for (int further = row - 100; further > 0; further--) {
                jobs.group(String.valueOf(job.group())).add(GroupInVirtualTimeTest.this.load(further));
            }
        }

        void done(JobContext job) {
            GroupStatus group =
                    jobs.group(String.valueOf(job.followsGroup())).find().orElseThrow();
            calls.add("done %s %s %s".formatted(job.group(), group.state(), group.counts()));
        }

        void alarm() {
            calls.add("alarm");
        }
    }

    private final VirtualTime time = new VirtualTime(START);
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final DelayJobTester tester =
            DelayJobTester.builder().time(time).store(store).build();
    private final DelayJobOperations jobs = tester.operations();
    private final List<String> calls = new ArrayList<>();
    private final Imports imports = new Imports();

    @BeforeEach
    void handlers() {
        tester.register("load", imports, "load");
        tester.register("done", imports, "done");
        tester.register("alarm", imports, "alarm");
        tester.tolerateFailures();
    }

    private ScheduleSpec load(int row) {
        return jobs.schedule("load").with(List.of(row));
    }

    private JobGroup group() {
        return jobs.group("import-42");
    }

    private GroupStatus status() {
        return group().find().orElseThrow();
    }

    @Test
    void jobThatFollowsAGroup_runsOnce_withinASecondAfterTheLastEnd() {
        JobId follower = group().add(load(1))
                .add(load(2).key("2"))
                .add(load(3).retry(RetryPolicy.gaps(ofMinutes(5))))
                .whenAllEnded(jobs.schedule("done").label("import"));
        load(4).group("import-42").after(ofMinutes(10));

        tester.advance(ofMinutes(10));
        assertThat(calls).containsExactly("load 1", "load 2", "load 3", "load 4");
        assertThat(jobs.find(follower)).isEmpty();
        tester.advance(ofSeconds(1));

        assertThat(calls)
                .hasSize(5)
                .last()
                .asString()
                .startsWith("done null ENDED")
                .contains("begun=4, finished=4");
        assertThat(jobs.find(follower).orElseThrow().labels()).containsExactly("import");
        assertThat(status().endedAt())
                .isBetween(START.plus(ofMinutes(10)), START.plus(ofMinutes(10)).plusMillis(1_100));
        tester.advance(Duration.ofHours(1));
        assertThat(calls).hasSize(5);
        assertThat(jobs.endedGroups(5)).containsExactly(status());
    }

    @Test
    void failedMembers_count_andTheFirstOneMakesAnotherJobDue() {
        tester.register(Handler.named("slow").calls((arguments, job) -> new CompletableFuture<>()));
        group().whenAnyFails(jobs.schedule("alarm"))
                .add(load(1))
                .add(load(-1).retry(RetryPolicy.none()))
                .add(load(-2).retry(RetryPolicy.none()))
                .add(jobs.schedule("load").with(List.of(2)).expiresAfter(ofSeconds(1)))
                .whenAllEnded(jobs.schedule("done"));
        load(3).group("import-42").after(ofMinutes(1));

        tester.advance(ofSeconds(3));
        assertThat(calls).contains("alarm").noneMatch(call -> call.startsWith("done"));
        tester.advance(ofMinutes(2));

        assertThat(calls.stream().filter("alarm"::equals)).hasSize(1);
        assertThat(status().counts()).isEqualTo(new GroupCounts(5, 3, 2, 0));
        assertThat(calls).last().asString().startsWith("done");
    }

    @Test
    void members_addFurtherMembers_beforeTheGroupEnds() {
        group().add(load(103)).whenAllEnded(jobs.schedule("done"));

        tester.advance(ofSeconds(3));

        assertThat(calls).hasSize(5).startsWith("load 103").last().asString().contains("begun=4, finished=4");
    }

    @Test
    void manyMembers_areAddedByOneCall() {
        tester.register("cancel-unpaid", new UnpaidOrders(), "cancel");
        group().add(jobs.schedule(UnpaidOrders::cancel)
                .withEach(LongStream.range(0, 500).boxed().toList()));
        group().whenAllEnded(jobs.schedule("done"));

        tester.advance(ofSeconds(5));

        assertThat(calls).hasSize(1).last().asString().contains("begun=500, finished=500");
    }

    @Test
    void cancelledGroup_cancelsItsMembers_andNoJobFollows() {
        Map<JobId, CompletableFuture<Object>> running = new HashMap<>();
        tester.register(Handler.named("slow").calls((arguments, job) -> {
            CompletableFuture<Object> end = new CompletableFuture<>();
            running.put(job.id(), end);
            return end;
        }));
        group().add(jobs.schedule("slow")).add(load(1));
        load(2).group("import-42").after(ofMinutes(5));
        load(3).group("import-42").after(ofMinutes(5));
        JobId other = load(4).after(ofMinutes(5)).id();
        group().whenAllEnded(jobs.schedule("done"));
        tester.advance(ofSeconds(2));

        assertThat(group().cancel()).isEqualTo(new BulkResult(3, 0));

        assertThat(status().state()).isEqualTo(GroupState.CANCELLED);
        assertThat(status().counts()).isEqualTo(new GroupCounts(4, 1, 0, 2));
        assertThat(jobs.groups(5)).containsExactly(status());
        assertThatThrownBy(() -> group().add(load(5))).isInstanceOf(GroupEndedException.class);
        running.values().forEach(end -> end.complete("done"));
        tester.advance(ofMinutes(6));
        assertThat(calls).containsExactly("load 1", "load 4");
        assertThat(jobs.find(other).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        assertThat(status().counts()).isEqualTo(new GroupCounts(4, 2, 0, 2));
        assertThat(status().endedAt()).isNotNull();
        assertThat(group().cancel()).isEqualTo(new BulkResult(0, 0));
    }

    @Test
    void memberThatStartsDuringTheCancellation_isCancelled_andCountsOnce() {
        AtomicInteger searches = new AtomicInteger();
        JobStore startingLate =
                new ForwardingJobStore(new MemoryJobStore(tester.time().clock()::storeMicros)) {
                    @Override
                    public JobPage find(JobQuery query, Instant now) {
                        boolean isTooEarly = query.state() == JobState.RUNNING && searches.getAndIncrement() == 0;
                        return super.find(isTooEarly ? query.name("nobody") : query, now);
                    }
                };
        DelayJobTester other = DelayJobTester.builder()
                .name("late")
                .time(tester.time())
                .store(startingLate)
                .build();
        other.register(Handler.named("slow").calls((arguments, job) -> new CompletableFuture<>()));
        JobId member =
                other.operations().schedule("slow").group("import-42").now().id();
        other.runDue();

        assertThat(other.operations().group("import-42").cancel()).isEqualTo(new BulkResult(1, 0));

        assertThat(other.operations().find(member).orElseThrow().cancelRequested())
                .isTrue();
    }

    @Test
    void groupThatNobodyCloses_isVisible() {
        group().add(load(1));
        tester.advance(ofMinutes(1));
        jobs.group("closed").add(load(2)).close();

        assertThat(jobs.groups(5)).extracting(GroupStatus::name).containsExactly("import-42", "closed");
        assertThat(status().state()).isEqualTo(GroupState.OPEN);
        assertThat(jobs.stream(JobQuery.state(JobState.FINISHED).group("import-42")))
                .hasSize(1);
        tester.advance(ofSeconds(3));
        assertThat(jobs.groups(5)).extracting(GroupStatus::name).containsExactly("import-42");
        assertThat(jobs.group("closed").find().orElseThrow().state()).isEqualTo(GroupState.ENDED);
    }

    @Test
    void endedGroup_isForgottenAfterItsRetention() {
        group().add(load(1)).close();
        tester.advance(Duration.ofHours(12));
        assertThat(group().find()).isPresent();

        tester.advance(Duration.ofDays(8));

        assertThat(group().find()).isEmpty();
        group().add(load(2));
        assertThat(status().counts().begun()).isEqualTo(1);
    }

    @Test
    void calls_thatCannotBeKept_areRefused() {
        group().add(load(1)).whenAllEnded(jobs.schedule("done"));

        assertThatThrownBy(() -> group().close())
                .isInstanceOf(GroupClosedException.class)
                .hasMessageContaining("'import-42' is closed already");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().whenAnyFails(jobs.schedule("alarm").key(1)))
                .withMessageContaining("must not have a key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().whenAnyFails(jobs.schedule("alarm").group("other")))
                .withMessageContaining("a group cannot contain another group");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().add(load(1).key(1, OnExisting.REPLACE)))
                .withMessageContaining("must come without REPLACE");
        assertThatIllegalArgumentException().isThrownBy(() -> jobs.group(" ")).withMessageContaining("1 to 100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.group("a\nb"))
                .withMessageContaining("U+000A");
        tester.advance(ofSeconds(5));
        assertThatThrownBy(() -> group().close()).isInstanceOf(GroupEndedException.class);
        assertThatThrownBy(() -> group().whenAnyFails(jobs.schedule("alarm")))
                .isInstanceOf(GroupEndedException.class)
                .hasMessageContaining("Choose a name");
    }

    @Test
    void repeatedClose_withTheIdOfItsJob_changesNothing_beforeAndAfterTheEnd() {
        JobId id = new JobId(UUID.randomUUID());
        group().add(load(1));

        assertThat(group().whenAllEnded(jobs.schedule("done").id(id))).isEqualTo(id);
        assertThat(group().whenAllEnded(jobs.schedule("done").id(id))).isEqualTo(id);
        assertThatThrownBy(() -> group().whenAllEnded(jobs.schedule("alarm").id(id)))
                .isInstanceOf(JobIdTakenException.class);
        assertThatThrownBy(() -> group().whenAllEnded(jobs.schedule("done").id(new JobId(UUID.randomUUID()))))
                .isInstanceOf(GroupClosedException.class);
        assertThatThrownBy(() -> group().whenAllEnded(jobs.schedule("done"))).isInstanceOf(GroupClosedException.class);
        tester.advance(ofSeconds(5));

        assertThat(group().whenAllEnded(jobs.schedule("done").id(id))).isEqualTo(id);
        assertThatThrownBy(() -> group().whenAllEnded(jobs.schedule("alarm").id(id)))
                .isInstanceOf(JobIdTakenException.class);
        assertThatThrownBy(() -> group().whenAllEnded(jobs.schedule("done").id(new JobId(UUID.randomUUID()))))
                .isInstanceOf(GroupEndedException.class);
        assertThat(calls).filteredOn(call -> call.startsWith("done")).hasSize(1);
        assertThat(jobs.find(id).orElseThrow().state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void repeatedWaitForAFailure_withTheIdOfItsJob_changesNothing_beforeAndAfterTheFailure() {
        JobId id = new JobId(UUID.randomUUID());
        group().whenAnyFails(jobs.schedule("alarm").id(id));
        group().whenAnyFails(jobs.schedule("alarm").id(id));
        group().add(load(-1).retry(RetryPolicy.none()));
        tester.advance(ofSeconds(5));

        group().whenAnyFails(jobs.schedule("alarm").id(id));
        group().close();
        tester.advance(ofSeconds(5));
        group().whenAnyFails(jobs.schedule("alarm").id(id));

        assertThat(calls).filteredOn("alarm"::equals).hasSize(1);
        assertThat(jobs.find(id).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        assertThatThrownBy(() -> group().whenAnyFails(jobs.schedule("alarm").id(new JobId(UUID.randomUUID()))))
                .isInstanceOf(GroupEndedException.class);
    }

    @Test
    void idOfAnotherJob_isRefusedForAJobThatWaits() {
        JobId id = jobs.schedule("alarm").now().id();
        tester.advance(ofSeconds(1));

        assertThatThrownBy(() -> group().whenAllEnded(jobs.schedule("alarm").id(id)))
                .isInstanceOf(JobIdTakenException.class)
                .hasMessageContaining("differs in its group");
        assertThatThrownBy(() -> group().whenAnyFails(jobs.schedule("alarm").id(id)))
                .isInstanceOf(JobIdTakenException.class);
        assertThat(group().find()).isEmpty();
    }

    @Test
    void refusedMember_leavesNoGroup() {
        JobId id = jobs.schedule("alarm").key(1).now().id();

        assertThatThrownBy(() -> group().add(jobs.schedule("alarm").key(1, OnExisting.FAIL)))
                .isInstanceOf(JobExistsException.class);
        assertThatThrownBy(() -> group().add(jobs.schedule("alarm").id(id))).isInstanceOf(JobIdTakenException.class);

        assertThat(group().find()).isEmpty();
    }

    @Test
    void memberOfOneQueueTooMany_leavesNoGroup() {
        DelayJobTester crowded = DelayJobTester.builder()
                .settings(settings -> settings.maxQueues(1))
                .build();
        DelayJobOperations operations = crowded.operations();
        operations.schedule("elsewhere").queue("first").now();
        ScheduleSpec member = operations.schedule("elsewhere").queue("one-too-many");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> operations.group("import-42").add(member))
                .withMessageContaining("delayjob.max-queues");

        assertThat(operations.group("import-42").find()).isEmpty();
    }

    @Test
    void repeatedMember_isKept_andOnlyInItsOwnGroup() {
        JobId id = new JobId(UUID.randomUUID());
        group().add(load(1)).add(jobs.schedule("alarm").id(id));

        group().add(jobs.schedule("alarm").id(id));

        assertThat(status().counts().begun()).isEqualTo(2);
        assertThatThrownBy(
                        () -> jobs.group("import-43").add(jobs.schedule("alarm").id(id)))
                .isInstanceOf(JobIdTakenException.class);
        assertThat(jobs.group("import-43").find()).isEmpty();
    }

    @Test
    void storeWithoutGroups_refusesThemByName() {
        Set<StoreCapability> without = EnumSet.noneOf(StoreCapability.class);
        DelayJobOperations refusing = DelayJobTester.builder()
                .store(new ForwardingStore(store) {
                    @Override
                    public StoreCapabilities capabilities() {
                        return new StoreCapabilities(target.capabilities().durability(), without);
                    }
                })
                .build()
                .operations();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> refusing.group("import-42"))
                .withMessageContaining("memory")
                .withMessageContaining("does not keep groups of jobs");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> refusing.schedule("other").group("import-42"))
                .withMessageContaining("import-42");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> refusing.groups(1))
                .withMessageContaining("does not keep groups of jobs");
        assertThatIllegalArgumentException().isThrownBy(() -> refusing.endedGroups(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.groups(0))
                .withMessageContaining("must be 1 or more");
    }

    @Test
    void payloadOfAFollower_isItsOwn() {
        tester.register(Handler.named("note")
                .parameters(List.of(new PayloadParameter("text", String.class)))
                .calls((arguments, job) -> calls.add("note " + arguments.get(0))));
        group().add(load(1)).whenAllEnded(jobs.schedule("note").with(Map.of("text", "a\tb\nc\\")));

        tester.advance(ofSeconds(3));

        assertThat(calls).containsExactly("load 1", "note a\tb\nc\\");
    }
}
