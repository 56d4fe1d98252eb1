package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.Job;
import io.delayjob.job.NewJob;
import io.delayjob.store.DueSink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What many groups cost: commands, and keys. */
@Timeout(60)
class RedisGroupCostTest extends RedisGroupFixture {

    private static final Instant LATER = NOW.plus(Duration.ofDays(8));
    private static final int MANY = 150;
    private static final Predicate<String> SCRIPT = command -> command.startsWith("EVAL");

    RedisGroupCostTest() {
        super(TestRedis.uri());
    }

    private List<GroupRef> many() {
        return IntStream.range(0, MANY).mapToObj(i -> open("import-" + i)).toList();
    }

    private List<NewJob> membersOf(List<GroupRef> groups) {
        List<NewJob> members = groups.stream().map(this::member).toList();
        store.submit(members, DueSink.NONE);
        return members;
    }

    @Test
    void oldGroupsThatWaitForMembers_areLookedAtByOnePurgeOnly() {
        List<GroupRef> waiting = many();
        membersOf(waiting);
        store.groups().purge(LATER, 1_000);
        probe.takeAll();

        assertThat(store.groups().purge(LATER, 1_000)).isZero();

        assertThat(probe.takeAll()).hasSizeLessThan(5);
        assertThat(store.groups().unended(1_000)).hasSize(MANY);
    }

    @Test
    void oldGroupThatIsCancelledAfterAPurge_isDeletedByTheNext() {
        running(member());
        assertThat(store.groups().purge(LATER, 10)).isZero();

        store.groups().cancel(group);

        assertThat(store.groups().purge(LATER, 10)).isEqualTo(1);
        assertThat(store.groups().find("import")).isEmpty();
    }

    @Test
    void purge_ofManyGroups_sendsFewScripts() {
        List<GroupRef> groups = many();
        groups.forEach(ended -> store.groups().close(ended, null));
        fold();
        List<GroupRef> unused =
                IntStream.range(0, MANY).mapToObj(i -> open("unused-" + i)).toList();
        probe.takeAll();

        assertThat(store.groups().purge(LATER, 1_000)).isEqualTo(groups.size() + unused.size() + 1);

        assertThat(probe.takeAll()).filteredOn(SCRIPT).hasSizeLessThan(6 * SLOTS);
    }

    @Test
    void pass_overManyGroupsWithNewMembers_sendsTwoScriptsForEachSlot_andOneForTheirRows() {
        List<GroupRef> groups = many();
        fold();
        membersOf(groups);
        membersOf(groups);
        probe.takeAll();

        assertThat(fold()).isEmpty();

        assertThat(probe.takeAll()).filteredOn(SCRIPT).hasSizeLessThanOrEqualTo(2 * SLOTS + 1);
        fold();
        assertThat(probe.takeAll()).as("nothing has changed").hasSize(SLOTS + 1);
    }

    @Test
    void pass_thatEndsManyGroups_sendsFewScripts() {
        List<GroupRef> groups = many();
        List<NewJob> members = membersOf(groups);
        List<GroupJob> followers = new ArrayList<>();
        for (GroupRef closed : groups) {
            GroupJob follower = follower();
            followers.add(follower);
            store.groups().close(closed, follower);
        }
        List<DueRow> rows = members.stream().map(NewJob::toDueRow).toList();
        store.claim(rows, 1, token(), NOW).forEach(member -> end(member, false));
        probe.takeAll();

        assertThat(fold())
                .extracting(DueRow::id)
                .containsExactlyInAnyOrderElementsOf(
                        followers.stream().map(GroupJob::id).toList());

        assertThat(probe.takeAll()).filteredOn(SCRIPT).hasSizeLessThan(8 * SLOTS);
        assertThat(store.groups().ended(1_000)).hasSize(MANY);
    }

    @Test
    void endedGroup_keepsItsNumbersInItsRow_andInTheSlotsOnlyForAnHour() {
        for (int i = 0; i < 20; i++) {
            end(running(member()), false);
        }
        Job last = running(member());
        store.groups().close(group, null);
        fail(last);
        fold();

        assertThat(numbersOf(group))
                .hasSize(SLOTS)
                .allSatisfy(key -> assertThat(redis.ttl(key)).isBetween(1L, 3_600L));
        numbersOf(group).forEach(redis::del);
        assertThat(status().state()).isEqualTo(GroupState.ENDED);
        assertThat(status().counts()).isEqualTo(new GroupCounts(21, 20, 1, 0));
        assertThat(store.groups().ended(1)).containsExactly(status());
        assertThat(fold()).isEmpty();
        assertThat(store.groups().purge(LATER, 10)).isEqualTo(1);
    }

    @Test
    void endedGroupWithAJob_keepsTheMarkOfThisJob_untilItIsDeleted() {
        end(running(member()), false);
        store.groups().close(group, follower());

        assertThat(fold()).hasSize(1);

        assertThat(numbersOf(group))
                .filteredOn(key -> redis.ttl(key) < 0)
                .singleElement()
                .satisfies(
                        key -> assertThat(redis.hexists(key, GroupCount.SEAL)).isTrue());
        store.groups().purge(LATER, 10);
        assertThat(numbersOf(group))
                .allSatisfy(key -> assertThat(redis.ttl(key)).isPositive());
    }
}
