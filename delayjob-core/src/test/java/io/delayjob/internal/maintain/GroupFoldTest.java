package io.delayjob.internal.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobGroups;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.HandClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** When an instance adds up groups, and when it forgets them. */
class GroupFoldTest {

    private final HandClock clock = new HandClock();
    private final List<String> calls = new ArrayList<>();
    private final AtomicBoolean isMoreLeft = new AtomicBoolean();
    private final AtomicBoolean isResponsible = new AtomicBoolean(true);
    private final List<GroupStatus> unended = new ArrayList<>();
    private final List<GroupStatus> ending = new ArrayList<>();
    private final List<GroupStatus> ended = new ArrayList<>();
    private Duration additionTakes = Duration.ZERO;
    private int purged;
    private String failing = "";

    private final JobGroups groups = (JobGroups) Proxy.newProxyInstance(
            JobGroups.class.getClassLoader(), new Class<?>[] {JobGroups.class}, (proxy, method, arguments) -> {
                calls.add(method.getName());
                if (method.getName().equals(failing)) {
                    throw StoreException.refused(failing);
                }
                return switch (method.getName()) {
                    case "fold" -> {
                        clock.advance(additionTakes);
                        ending.forEach(group -> tell(arguments[3], group));
                        yield isMoreLeft.get();
                    }
                    case "unended" -> List.copyOf(unended);
                    default -> purged;
                };
            });

    private GroupFold fold(JobGroups store) {
        JobListener listener = new JobListener() {
            @Override
            public void groupEnded(GroupStatus group) {
                ended.add(group);
            }
        };
        return new GroupFold(
                store,
                isResponsible::get,
                clock,
                new Random(1),
                DueSink.NONE,
                new JobListeners(List.of(listener)),
                Duration.ofDays(7));
    }

    @SuppressWarnings("unchecked")
    private static void tell(Object sink, GroupStatus group) {
        ((Consumer<GroupStatus>) sink).accept(group);
    }

    private void aGroupExists() {
        unended.add(group(GroupState.OPEN, null));
    }

    private static GroupStatus group(GroupState state, Instant endedAt) {
        GroupRef group = GroupRef.create("import", 0, new Random(1));
        return new GroupStatus(group, state, GroupCounts.NONE, Instant.EPOCH, endedAt);
    }

    @Test
    void endOfAGroup_isToldToTheListeners() {
        GroupStatus over = group(GroupState.ENDED, Instant.EPOCH);
        ending.add(over);

        fold(groups).doWork();

        assertThat(ended).containsExactly(over);
    }

    @Test
    void responsibleInstance_addsUpTwiceASecond_andAllOthersInCaseItCannot() {
        aGroupExists();
        GroupFold fold = fold(groups);

        assertThat(fold.doWork()).isEqualTo(GroupFold.PAUSE.toNanos());
        isResponsible.set(false);
        assertThat(fold.doWork()).isEqualTo(GroupFold.LONG_PAUSE.toNanos());

        assertThat(calls).containsExactly("fold", "unended", "fold");
    }

    /** If the last member ends just after the counts were read, the next call must still be in time. */
    @Test
    void lastEnd_isNoticedWithinASecond_evenIfAnAdditionTakesSomeTime() {
        aGroupExists();
        additionTakes = Duration.ofMillis(200);

        Duration pause = Duration.ofNanos(fold(groups).doWork());

        assertThat(additionTakes.plus(pause).plus(additionTakes)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void withoutGroups_theStoreIsAskedRarely() {
        GroupFold fold = fold(groups);

        assertThat(fold.doWork()).isEqualTo(GroupFold.RARELY.toNanos());
        aGroupExists();

        assertThat(fold.doWork()).as("after a change in the cluster").isEqualTo(GroupFold.PAUSE.toNanos());
        unended.clear();
        clock.advance(GroupFold.LONG_PAUSE);
        assertThat(fold.doWork()).isEqualTo(GroupFold.RARELY.toNanos());
    }

    @Test
    void instanceThatNamedAGroup_addsUpTwiceASecond_untilAllMustHaveLooked() {
        isResponsible.set(false);
        GroupFold fold = fold(groups);
        assertThat(fold.doWork()).isEqualTo(GroupFold.RARELY.toNanos());

        assertThat(fold.named()).as("the agent rests, and must be woken").isTrue();
        assertThat(fold.doWork()).isEqualTo(GroupFold.PAUSE.toNanos());
        assertThat(fold.named()).as("the agent comes soon").isFalse();
        clock.advance(GroupFold.LONG_PAUSE);
        assertThat(fold.doWork()).isEqualTo(GroupFold.PAUSE.toNanos());
        aGroupExists();
        clock.advance(GroupFold.RARELY);

        assertThat(fold.doWork()).isEqualTo(GroupFold.LONG_PAUSE.toNanos());
    }

    @Test
    void restOfALargeBacklog_isAddedUpAtOnce() {
        isMoreLeft.set(true);

        assertThat(fold(groups).doWork()).isZero();
    }

    @Test
    void oldGroups_areForgottenByTheResponsibleInstance_onceAMinute() {
        GroupFold fold = fold(groups);
        clock.advance(Duration.ofSeconds(61));
        isResponsible.set(false);
        fold.doWork();
        assertThat(calls).containsExactly("fold", "unended");

        isResponsible.set(true);
        fold.doWork();
        fold.doWork();
        assertThat(calls).filteredOn("purge"::equals).hasSize(1);
        purged = 1_000;
        clock.advance(Duration.ofSeconds(61));
        fold.doWork();
        fold.doWork();

        assertThat(calls)
                .as("the first call has left some")
                .filteredOn("purge"::equals)
                .hasSize(3);
    }

    @Test
    void failedAddition_keepsNoGroupFromBeingDeleted_andAFailedDeletionDelaysNoAddition() {
        GroupFold fold = fold(groups);
        clock.advance(Duration.ofSeconds(61));
        failing = "fold";
        assertThatThrownBy(fold::doWork).hasMessage("fold");
        assertThat(calls).containsExactly("purge", "fold");
        clock.advance(Duration.ofSeconds(61));
        failing = "purge";
        assertThatThrownBy(fold::doWork).hasMessage("purge");
        calls.clear();

        fold.doWork();

        assertThat(calls).as("the next attempt to delete comes later").containsExactly("fold", "unended");
    }

    @Test
    void storeWithoutGroups_isNeverAsked() {
        assertThat(fold(null).doWork()).isEqualTo(Agent.UNTIL_WOKEN);
    }
}
