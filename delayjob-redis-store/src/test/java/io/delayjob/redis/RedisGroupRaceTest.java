package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreException;
import java.time.Instant;
import java.util.List;
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
            other.groups().fold(NOW, token(), DueSink.NONE);
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
}
