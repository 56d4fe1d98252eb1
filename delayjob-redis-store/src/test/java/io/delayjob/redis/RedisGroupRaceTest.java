package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of two instances that meet between two commands. */
@Timeout(60)
class RedisGroupRaceTest extends RedisGroupFixture {

    private static final Instant LATER = NOW.plusSeconds(86_400);

    RedisGroupRaceTest() {
        super(TestRedis.uri());
    }

    private static boolean readsARow(String command) {
        return command.startsWith("HMGET") && command.contains("group:");
    }

    @Test
    void groupThatIsDeletedAfterItsNameWasFound_givesItsNameToANewGroup() {
        GroupRef proposed = proposal("import");
        probe.before(
                RedisGroupRaceTest::readsARow,
                () -> assertThat(other.groups().purge(LATER, 10)).isEqualTo(1));

        store.submit(List.of(member(proposed)), DueSink.NONE);

        assertThat(status(proposed).group()).isEqualTo(proposed).isNotEqualTo(group);
        assertThat(status(proposed).counts()).isEqualTo(new GroupCounts(1, 0, 0, 0));
        assertThat(numbersOf(proposed))
                .allSatisfy(key -> assertThat(redis.ttl(key)).isNegative());
    }

    @Test
    void nameOfAGroupWhoseRowIsGone_isFree() {
        redis.del(rowKey(group));
        GroupRef proposed = proposal("import");

        store.submit(List.of(member(proposed)), DueSink.NONE);

        assertThat(status(proposed).group()).isEqualTo(proposed);
        assertThat(store.groups().unended(10))
                .extracting(status -> status.group())
                .containsExactly(proposed);
    }

    @Test
    void cancelledGroup_getsNoJobForAFailure_evenIfAnInstanceIsAboutToWriteIt() {
        GroupJob alarm = follower();
        store.groups().whenAnyFails(group, alarm);
        fail(running(member()));
        probe.before(
                CommandProbe.runs(LuaScript.ROWS),
                () -> assertThat(other.groups().cancel(group)).isEqualTo(GroupState.OPEN));

        assertThat(fold()).isEmpty();

        assertThat(status().state()).isEqualTo(GroupState.CANCELLED);
        assertThat(store.find(alarm.id())).isEmpty();
        assertThat(fold()).isEmpty();
        assertThat(status().endedAt()).isEqualTo(NOW);
    }

    @Test
    void repeatedCancel_getsNoJobForAFailure_evenIfTheFirstCallerHasDied() {
        GroupJob alarm = follower();
        store.groups().whenAnyFails(group, alarm);
        fail(running(member()));
        probe.before(CommandProbe.runs(LuaScript.ROWS), () -> {
            // The first caller has changed the row, and has died then.
            other.groups().cancel(group);
            numbersOf(group).forEach(key -> redis.hdel(key, GroupCount.SEAL, "any-failed"));
            other.groups().fold(NOW, token(), DueSink.NONE, ended -> {});
            assertThat(other.groups().find("import").orElseThrow().endedAt()).isEqualTo(NOW);
            assertThat(other.groups().cancel(group)).isEqualTo(GroupState.CANCELLED);
        });

        assertThat(fold()).isEmpty();

        assertThat(store.find(alarm.id())).isEmpty();
    }

    @Test
    void memberWhoseIdIsTaken_isRefused_andBeginsNoGroup() {
        NewJob existing = member();
        store.submit(List.of(existing), DueSink.NONE);
        GroupRef proposed = proposal("new");
        NewJob refused = member(proposed).at(existing.id(), PARTITION);

        assertThatThrownBy(() -> store.submit(List.of(refused), DueSink.NONE)).isInstanceOf(StoreException.class);

        assertThat(store.groups().find("new")).isEmpty();
    }

    @Test
    void memberWhoseKeyIsTakenMeanwhile_beginsNoGroup() {
        for (OnExisting policy : List.of(OnExisting.KEEP, OnExisting.FAIL)) {
            GroupRef proposed = proposal("new");
            String key = "key-of-" + policy;
            NewJob late = member(proposed, key, policy);
            NewJob quicker = member(group, key, OnExisting.FAIL);
            probe.before(CommandProbe.runs(LuaScript.ROWS), () -> other.submit(List.of(quicker), DueSink.NONE));

            if (policy == OnExisting.FAIL) {
                assertThatThrownBy(() -> store.submit(List.of(late), DueSink.NONE))
                        .isInstanceOf(JobExistsException.class);
            } else {
                assertThat(store.submit(List.of(late), DueSink.NONE))
                        .extracting(Scheduled::outcome)
                        .containsExactly(Scheduled.Outcome.KEPT);
            }

            assertThat(store.groups().find("new")).isEmpty();
        }
        assertThat(status().counts().begun()).isEqualTo(2);
    }

    @Test
    void refusedCall_leavesTheGroup_ifAnotherCallHasJoinedIt() {
        NewJob existing = member();
        store.submit(List.of(existing), DueSink.NONE);
        GroupRef proposed = proposal("new");
        NewJob refused = member(proposed).at(existing.id(), PARTITION);
        probe.before(
                CommandProbe.runs(LuaScript.ROWS), () -> other.submit(List.of(member(proposal("new"))), DueSink.NONE));

        assertThatThrownBy(() -> store.submit(List.of(refused), DueSink.NONE)).isInstanceOf(StoreException.class);

        assertThat(status(proposed).group()).isEqualTo(proposed);
        assertThat(status(proposed).counts().begun()).isEqualTo(1);
    }

    @Test
    void refusedCall_leavesTheGroup_ifAnotherCallHasGivenItAJob() {
        NewJob existing = member();
        store.submit(List.of(existing), DueSink.NONE);
        GroupRef proposed = proposal("new");
        NewJob refused = member(proposed).at(existing.id(), PARTITION);
        GroupJob alarm = follower();
        probe.before(CommandProbe.runs(LuaScript.ROWS), () -> other.groups().whenAnyFails(proposed, alarm));

        assertThatThrownBy(() -> store.submit(List.of(refused), DueSink.NONE)).isInstanceOf(StoreException.class);

        assertThat(status(proposed).group()).isEqualTo(proposed);
    }

    private NewJob memberIn(int slot) {
        return Stream.generate(this::member)
                .filter(job -> keys.slotOf(job.id()) == slot)
                .findFirst()
                .orElseThrow();
    }

    /** Lets a pass do this after it has read the row of the group, and its numbers in all slots before this one. */
    private void beforeNumbersAreRead(int slot, Runnable action) {
        String key = keys.groupNumbers(slot, group.id());
        String ofSlot = key.substring(0, key.indexOf(":g:") + 3);
        probe.before(command -> command.startsWith("HMGET") && command.contains(ofSlot), () -> {
            // The connection gives its answers in order, so the commands before this one have been executed.
            status();
            action.run();
        });
    }

    private void foldOfOther() {
        assertThat(other.groups().fold(NOW, token(), DueSink.NONE, ended -> {})).isFalse();
    }

    @Test
    void closedGroup_ends_evenIfTwoPassesHaveSeenDifferentMembersEnd() {
        Job first = running(memberIn(0));
        Job second = running(memberIn(1));
        GroupJob follower = follower();
        store.groups().close(group, follower);
        beforeNumbersAreRead(1, () -> {
            end(first, false);
            foldOfOther();
            end(second, false);
        });
        assertThat(fold())
                .as("the pass has not seen the end of the first member")
                .isEmpty();

        assertThat(fold()).extracting(DueRow::id).containsExactly(follower.id());
    }

    @Test
    void groupThatIsClosedWhileAPassReadsItsNumbers_ends() {
        Job last = running(member());
        GroupJob follower = follower();
        beforeNumbersAreRead(0, () -> {
            other.groups().close(group, follower);
            foldOfOther();
            end(last, false);
        });
        assertThat(fold()).as("the pass has not seen that the group is closed").isEmpty();

        assertThat(fold()).extracting(DueRow::id).containsExactly(follower.id());
    }

    @Test
    void jobThatWaitsForAFailureSinceAPassReadsTheNumbers_isWritten() {
        Job failing = running(memberIn(0));
        running(memberIn(1));
        GroupJob alarm = follower();
        beforeNumbersAreRead(0, () -> {
            other.groups().whenAnyFails(group, alarm);
            foldOfOther();
            fail(failing);
        });
        assertThat(fold()).as("the pass has not seen that a job waits").isEmpty();

        assertThat(fold()).extracting(DueRow::id).containsExactly(alarm.id());
    }
}
