package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupState;
import io.delayjob.job.Job;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.store.DueSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups over many slots: instances that die between two steps, and calls that meet while a group ends. */
@Timeout(60)
class RedisGroupsTest extends RedisGroupFixture {

    RedisGroupsTest() {
        super(TestRedis.uri());
    }

    /** Writes the row as an instance did that has died since. */
    private void leave(GroupRow row) {
        redis.hset(rowKey(group), "row", row.toBytes());
        redis.hset(rowKey(group), "version", Bytes.of(Long.toString(row.version() + 1)));
        redis.sadd(keys.meta("groups-changed"), Bytes.of(Keyspace.member(group.id())));
    }

    private void seal(String seal) {
        for (int slot = 0; slot < SLOTS; slot++) {
            redis.hset(keys.groupNumbers(slot, group.id()), GroupCount.SEAL, Bytes.of(seal));
        }
    }

    @Test
    void memberThatComesWhileAnInstanceLetsTheGroupEnd_keepsItOpen_evenIfThatInstanceHasDied() {
        store.groups().close(group, follower());
        leave(row().closing(true));
        seal(Long.toString(row().version()));

        Job late = running(member());

        assertThat(row().isClosing())
                .as("the attempt to let the group end has failed")
                .isFalse();
        assertThat(fold()).isEmpty();
        assertThat(status().state()).isEqualTo(GroupState.CLOSED);
        end(late, true);
        assertThat(fold()).hasSize(1);
        assertThat(status().counts()).isEqualTo(new GroupCounts(1, 1, 0, 0));
    }

    @Test
    void sealOfAnEarlierAttempt_keepsNoMemberOut() {
        seal("1");

        running(member());

        assertThat(status().counts().begun()).isEqualTo(1);
    }

    @Test
    void cancelledGroup_isSealedInEverySlot_soThatACallUnderWayAddsNothing() {
        store.groups().cancel(group);
        for (int slot = 0; slot < SLOTS; slot++) {
            assertThat(redis.hget(keys.groupNumbers(slot, group.id()), GroupCount.SEAL))
                    .isNotNull();
        }
        assertThatThrownBy(() -> store.submit(List.of(member()), DueSink.NONE)).isInstanceOf(GroupEndedException.class);
        assertThat(status().counts()).isEqualTo(GroupCounts.NONE);
    }

    @Test
    void instanceThatDiesBetweenTheEndAndItsJob_leavesTheJobToAnother() {
        GroupJob job = follower();
        store.groups().close(group, job);
        leave(row().ended(NOW, GroupCounts.NONE));

        assertThat(fold()).extracting(DueRow::id).containsExactly(job.id());
        assertThat(fold()).isEmpty();
    }

    @Test
    void instanceThatDiesAfterItHasWrittenTheJob_doesNotLetItRunTwice_evenIfTheJobHasLeftNoRow() {
        GroupJob job = follower();
        store.groups().close(group, job);
        GroupRow before = row().ended(NOW, GroupCounts.NONE);
        DueRow written = fold().get(0);
        end(store.claim(List.of(written), 1, token(), NOW).get(0), false);
        assertThat(store.find(job.id())).isEmpty();

        leave(before);

        assertThat(fold()).isEmpty();
        assertThat(store.find(job.id())).isEmpty();
        assertThat(row().whenAllEnded()).isNull();
    }

    @Test
    void deletedGroup_leavesNothingButSealsThatExpire() {
        end(running(member()), true);
        store.groups().close(group, null);
        fold();

        assertThat(store.groups().purge(NOW.plusMillis(1), 10)).isEqualTo(1);

        assertThat(redis.keys(namespace + "{meta}:group*")).isEmpty();
        for (int slot = 0; slot < SLOTS; slot++) {
            assertThat(redis.ttl(keys.groupNumbers(slot, group.id()))).isBetween(1L, 3_600L);
            assertThat(redis.exists(keys.changedGroups(slot))).isZero();
        }
    }

    @Test
    void jobsWithoutAGroup_writeNothingOfGroups() {
        JobTask task = JobTask.of("load");
        Job job = running(new NewJob(id(), PARTITION, task, JobPlan.once(NOW, NOW), OnExisting.KEEP, token()));
        end(job, true);

        assertThat(redis.keys(namespace + "*:g:*")).isEmpty();
        assertThat(redis.keys(namespace + "*:groups")).containsExactly(keys.meta("groups"));
    }

    /** Members add members, until a number is reached. Three instances add up all the time. */
    @Test
    void group_endsOnce_andNotBeforeItsLastMember_howeverCallsMeet() throws Exception {
        int members = 600;
        AtomicInteger begun = new AtomicInteger(4);
        List<Job> first = List.of(running(member()), running(member()), running(member()), running(member()));
        List<Callable<Void>> chains = new ArrayList<>();
        for (Job start : first) {
            chains.add(() -> {
                Job current = start;
                while (current != null) {
                    Job next = begun.getAndUpdate(number -> Math.min(members, number + 1)) < members
                            ? running(member())
                            : null;
                    end(current, false);
                    current = next;
                }
                return null;
            });
        }

        assertThat(endedCountsOfFollowers(chains)).containsExactly((long) members);
        assertThat(status().counts()).isEqualTo(new GroupCounts(members, members, 0, 0));
    }

    /** Callers that are no members add as long as they are let in, so they often meet an end under way. */
    @Test
    void memberThatIsLetIn_isCounted_beforeTheGroupEnds() throws Exception {
        AtomicInteger added = new AtomicInteger();
        List<Callable<Void>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(() -> {
                for (int k = 0; k < 100; k++) {
                    try {
                        Job member = running(member());
                        added.incrementAndGet();
                        end(member, false);
                    } catch (GroupEndedException tooLate) {
                        return null;
                    }
                }
                return null;
            });
        }

        List<Long> ended = endedCountsOfFollowers(callers);

        assertThat(ended).containsExactly((long) added.get());
        assertThat(status().counts()).isEqualTo(new GroupCounts(added.get(), added.get(), 0, 0));
    }

    /**
     * Closes the group and makes these calls, while three instances add up all the time. Returns how many members had
     * ended whenever a job that follows the group was written.
     */
    private List<Long> endedCountsOfFollowers(List<Callable<Void>> calls) throws Exception {
        ConcurrentLinkedQueue<Long> followed = new ConcurrentLinkedQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(calls.size() + 3);
        try {
            store.groups().close(group, follower());
            List<Future<Void>> folding = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                folding.add(threads.submit(() -> {
                    while (!over.get()) {
                        store.groups()
                                .fold(
                                        NOW,
                                        token(),
                                        rows -> followed.add(status().counts().ended()),
                                        ended -> {});
                    }
                    return null;
                }));
            }
            for (Future<Void> call : threads.invokeAll(calls)) {
                call.get();
            }
            while (status().endedAt() == null || row().whenAllEnded() != null) {
                Thread.onSpinWait();
            }
            over.set(true);
            for (Future<Void> each : folding) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return List.copyOf(followed);
    }
}
