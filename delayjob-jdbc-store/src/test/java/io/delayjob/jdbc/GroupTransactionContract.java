package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.CancelResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.store.CompletionResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Groups in callers' transactions, and under many transactions at the same time. */
abstract class GroupTransactionContract extends StoreContract {

    private static final int RACERS = 4;
    private static final int ROUNDS = Integer.getInteger("delayjob.test.group-rounds", 40);

    private final List<DueRow> written = new ArrayList<>();
    private GroupRef group;

    @BeforeEach
    final void openGroup() {
        written.clear();
        group = open();
    }

    private GroupRef open() {
        NewJob identity = jobs.job();
        return store.groups().enter(new GroupRef(identity.id().value(), "import"), JobMaker.NOW);
    }

    final NewJob member() {
        NewJob job = jobs.job();
        return job.with(job.task().withExtras(JobExtras.NONE.withGroup(group).toText()));
    }

    private Job running(NewJob member) {
        jobs.submit(member);
        return jobs.claim(List.of(member.toDueRow())).get(0);
    }

    private GroupJob follower() {
        NewJob job = jobs.job();
        return new GroupJob(job.id(), new Partition("queue-of-a-group", 1), job.task(), null);
    }

    private void fold() {
        boolean more;
        do {
            more = store.groups().fold(JobMaker.NOW, jobs.token(), written::addAll, ended -> {});
        } while (more);
    }

    private GroupStatus status() {
        return store.groups().find("import").orElseThrow();
    }

    @Test
    void rollback_leavesNeitherGroupNorMembers() {
        transaction.executeWithoutResult(status -> {
            jobs.submit(member());
            store.groups().close(group, follower());
            assertThat(status().counts().begun()).isEqualTo(1);
            status.setRollbackOnly();
        });

        assertThat(status().state()).isEqualTo(GroupState.OPEN);
        assertThat(status().counts()).isEqualTo(GroupCounts.NONE);

        transaction.executeWithoutResult(status -> {
            store.groups().enter(new GroupRef(jobs.job().id().value(), "other"), JobMaker.NOW);
            status.setRollbackOnly();
        });
        assertThat(store.groups().find("other")).isEmpty();
    }

    private NewJob firstMember(String name) {
        NewJob job = jobs.job();
        return job.in(new GroupRef(jobs.job().id().value(), name));
    }

    @Test
    void firstMember_isRolledBackWithItsGroup() {
        transaction.executeWithoutResult(status -> {
            jobs.submit(firstMember("other"));
            assertThat(store.groups().find("other")).isPresent();
            status.setRollbackOnly();
        });

        assertThat(store.groups().find("other")).isEmpty();
    }

    @Test
    void simultaneousFirstMembers_beginOneGroup() throws Exception {
        ExecutorService racers = Executors.newFixedThreadPool(RACERS);
        for (int round = 0; round < ROUNDS; round++) {
            String name = "raced-" + round;
            CyclicBarrier start = new CyclicBarrier(RACERS);
            List<Future<?>> all = new ArrayList<>();
            for (int racer = 0; racer < RACERS; racer++) {
                boolean once = racer % 2 == 0;
                all.add(racers.submit(() -> {
                    NewJob member = firstMember(name);
                    start.await();
                    return once ? store.submitOnce(member, rows -> {}) : store.submit(List.of(member), rows -> {});
                }));
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }

            assertThat(store.groups().find(name).orElseThrow().counts()).isEqualTo(new GroupCounts(RACERS, 0, 0, 0));
        }
        racers.shutdown();
    }

    @Test
    void refusedJobs_leaveNoQueue() {
        store.groups().close(group, null);
        fold();
        jobs.submit(jobs.job("k", OnExisting.KEEP));
        Job existing = running(jobs.job());
        Partition elsewhere = new Partition("queue-of-refused-jobs", 0);
        NewJob late = jobs.job(null, OnExisting.KEEP, elsewhere).in(group);
        NewJob failing = jobs.job("k", OnExisting.FAIL, elsewhere);
        NewJob again = jobs.job();

        for (NewJob refused : List.of(late, failing)) {
            assertThatThrownBy(() -> jobs.submit(refused)).isInstanceOf(RuntimeException.class);
            assertThatThrownBy(() -> store.submitOnce(refused, rows -> {})).isInstanceOf(RuntimeException.class);
        }
        assertThat(store.submitOnce(again.at(existing.id(), elsewhere), rows -> {})
                        .outcome())
                .isEqualTo(Scheduled.Outcome.KEPT);
        store.groups()
                .close(
                        group,
                        new GroupJob(jobs.job().id(), elsewhere, jobs.job().task(), null));

        assertThat(jdbc.queryForList("SELECT name FROM delayjob_queue", String.class))
                .doesNotContain("queue-of-refused-jobs");
    }

    @Test
    void refusedMember_leavesTheCallersTransactionUsable() {
        store.groups().close(group, null);
        fold();

        transaction.executeWithoutResult(status -> {
            assertThatThrownBy(() -> jobs.submit(member())).isInstanceOf(GroupEndedException.class);
            jdbc.update("INSERT INTO orders VALUES (1)");
        });

        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM orders", Integer.class))
                .isEqualTo(1);
    }

    @Test
    void openAddition_keepsTheGroupFromEnding() throws Exception {
        Job first = running(member());
        NewJob second = member();
        GroupJob follower = follower();
        store.groups().close(group, follower);

        transaction.executeWithoutResult(status -> {
            jobs.submit(second);
            elsewhere(() -> {
                assertThat(store.complete(List.of(jobs.finishing(first)))).containsOnly(CompletionResult.ACCEPTED);
                fold();
            });
        });
        fold();

        assertThat(written).isEmpty();
        assertThat(status().state()).isEqualTo(GroupState.CLOSED);
        store.complete(
                List.of(jobs.finishing(jobs.claim(List.of(second.toDueRow())).get(0))));
        fold();
        assertThat(written).extracting(DueRow::id).containsExactly(follower.id());
        assertThat(store.find(follower.id()).orElseThrow().partition()).isEqualTo(follower.partition());
    }

    @Test
    void openEnd_delaysNeitherOtherEndsNorTheirCounts_andKeepsTheGroupFromEnding() throws Exception {
        NewJob waiting = member();
        jobs.submit(waiting);
        Job running = running(member());
        store.groups().close(group, follower());

        transaction.executeWithoutResult(status -> {
            assertThat(store.cancel(waiting.id(), JobMaker.NOW)).isEqualTo(CancelResult.CANCELLED);
            elsewhere(() -> {
                assertThat(store.complete(List.of(jobs.finishing(running)))).containsOnly(CompletionResult.ACCEPTED);
                fold();
                assertThat(status().counts()).isEqualTo(new GroupCounts(2, 1, 0, 0));
            });
        });

        assertThat(written).isEmpty();
        fold();
        assertThat(written).hasSize(1);
        assertThat(status().counts()).isEqualTo(new GroupCounts(2, 1, 0, 1));
    }

    /** As the member of a request that is repeated because its answer was lost. */
    @Test
    void repeatedMember_isKept_evenIfItsGroupEndsDuringTheCall() {
        NewJob member = member();
        AtomicBoolean hasEnded = new AtomicBoolean();
        LosingDataSource watched = new LosingDataSource(pool);
        watched.beforeStatement = sql -> {
            if (sql.contains("delayjob_group") && !hasEnded.getAndSet(true)) {
                elsewhere(() -> {
                    store.complete(List.of(jobs.finishing(running(member))));
                    store.groups().close(group, null);
                    fold();
                });
            }
        };

        try (JdbcJobStore repeating = JdbcJobStore.builder(watched, new JdbcTransactionManager(watched))
                .build()) {
            assertThat(repeating.submitOnce(member, rows -> {}))
                    .isEqualTo(new Scheduled(member.id(), Scheduled.Outcome.KEPT, JobState.FINISHED));
        }
        assertThat(status().state()).isEqualTo(GroupState.ENDED);
        assertThat(status().counts()).isEqualTo(new GroupCounts(1, 1, 0, 0));
    }

    private static void elsewhere(Runnable work) {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            other.submit(work).get(20, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError("the other transaction has waited or failed", failed);
        } finally {
            other.shutdownNow();
        }
    }

    /** Members add members and end, callers cancel, and several instances fold, all at once. */
    @Test
    void follower_isWrittenOnce_whoeverEndsAndFoldsAtTheSameTime() throws Exception {
        List<NewJob> seeds = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            seeds.add(member());
        }
        store.submit(seeds, rows -> {});
        GroupJob follower = follower();
        store.groups().close(group, follower);
        CountDownLatch left = new CountDownLatch(RACERS);
        ExecutorService racers = Executors.newFixedThreadPool(RACERS + 2);
        List<Future<?>> all = new ArrayList<>();
        for (NewJob seed : seeds) {
            all.add(racers.submit(() -> {
                NewJob member = seed;
                for (int round = 0; round < ROUNDS; round++) {
                    NewJob next = member();
                    Job running = jobs.claim(List.of(member.toDueRow())).get(0);
                    jobs.submit(next);
                    assertThat(store.find(follower.id())).isEmpty();
                    store.complete(List.of(round % 2 == 0 ? jobs.finishing(running) : jobs.failing(running)));
                    member = next;
                }
                store.cancel(member.id(), JobMaker.NOW);
                left.countDown();
                return null;
            }));
        }
        for (int i = 0; i < 2; i++) {
            all.add(racers.submit(() -> {
                while (left.getCount() > 0) {
                    store.groups()
                            .fold(
                                    JobMaker.NOW,
                                    jobs.token(),
                                    rows -> {
                                        synchronized (written) {
                                            written.addAll(rows);
                                        }
                                    },
                                    ended -> {});
                }
                return null;
            }));
        }
        for (Future<?> one : all) {
            one.get(60, TimeUnit.SECONDS);
        }
        racers.shutdown();
        fold();

        assertThat(written).extracting(DueRow::id).containsExactly(follower.id());
        assertThat(status().state()).isEqualTo(GroupState.ENDED);
        assertThat(status().counts())
                .isEqualTo(new GroupCounts(RACERS * (ROUNDS + 1), RACERS * ROUNDS / 2, RACERS * ROUNDS / 2, RACERS));
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM delayjob_group_change", Integer.class))
                .isZero();
    }

    @Test
    void moreCountsThanOneReadTakes_endTheGroupOnlyWhenAllAreAddedUp() {
        int members = GroupAdder.MAX_COUNTS / 2 + 100;
        List<NewJob> all = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            all.add(member());
        }
        store.submit(all, rows -> {});
        store.groups().close(group, follower());
        jdbc.update("DELETE FROM delayjob_group_change");
        String insert = "INSERT INTO delayjob_group_change (group_id, begun, finished, failed, cancelled)"
                + " SELECT id, ?, ?, 0, 0 FROM delayjob_group";
        // Each begin is followed by its end, so a part of the rows has equal sums.
        for (int i = 0; i < members; i++) {
            jdbc.update(insert, 1, 0);
            jdbc.update(insert, 0, 1);
        }
        jdbc.update(insert, 1, 0);

        assertThat(store.groups().fold(JobMaker.NOW, jobs.token(), written::addAll, ended -> {}))
                .isTrue();
        assertThat(written).isEmpty();
        fold();

        assertThat(written).isEmpty();
        assertThat(status().counts()).isEqualTo(new GroupCounts(members + 1, members, 0, 0));
    }

    /** A group without counts is not visited again, so it must not be left without counts before it ends. */
    @Test
    void asManyCountsAsOneTransactionAddsUp_endTheGroup() {
        store.groups().close(group, follower());
        jdbc.update("DELETE FROM delayjob_group_change");
        // Not as a batch, because MariaDB's bulk protocol has no INSERT with SELECT.
        String count = "INSERT INTO delayjob_group_change (group_id, begun, finished, failed, cancelled)"
                + " SELECT id, ?, ?, 0, 0 FROM delayjob_group";
        for (int i = 0; i < GroupAdder.MAX_COUNTS / 2; i++) {
            jdbc.update(count, 1, 0);
            jdbc.update(count, 0, 1);
        }

        fold();

        assertThat(status().state()).isEqualTo(GroupState.ENDED);
        assertThat(written).hasSize(1);
    }

    @Test
    void replacedMember_staysInItsGroup_besideOtherReplacements() {
        NewJob member = member();
        NewJob keyed = jobs.job("k", OnExisting.KEEP);
        jobs.submit(keyed.with(keyed.task().withExtras(member.extras())));
        NewJob other = jobs.job("other", OnExisting.KEEP);
        jobs.submit(other);

        store.submit(List.of(jobs.job("k", OnExisting.REPLACE), jobs.job("other", OnExisting.REPLACE)), rows -> {});

        assertThat(store.find(keyed.id()).orElseThrow().extras().group()).isEqualTo(group);
        assertThat(store.find(other.id()).orElseThrow().extras().group()).isNull();
        store.cancel(keyed.id(), JobMaker.NOW);
        assertThat(status().counts()).isEqualTo(new GroupCounts(1, 0, 0, 1));
    }

    /** The pool has one connection, so a second one would never come. */
    @Test
    void fold_readsAnUnknownQueueBeforeItsTransaction() {
        jobs.submit(member());
        store.groups().close(group, follower());
        try (HikariDataSource single = new HikariDataSource()) {
            single.setDataSource(pool);
            single.setMaximumPoolSize(1);
            single.setConnectionTimeout(1_000);
            try (JdbcJobStore other = JdbcJobStore.builder(single, new JdbcTransactionManager(single))
                    .build()) {
                other.groups().whenAnyFails(group, follower());
                jdbc.update("INSERT INTO delayjob_group_change (group_id, begun, finished, failed, cancelled)"
                        + " SELECT id, 0, 0, 1, 0 FROM delayjob_group");
            }
            try (JdbcJobStore other = JdbcJobStore.builder(single, new JdbcTransactionManager(single))
                    .build()) {
                other.groups().fold(JobMaker.NOW, jobs.token(), written::addAll, ended -> {});
            }
        }

        assertThat(written).isNotEmpty();
    }

    @Test
    void groupWhoseJobCannotBeWritten_keepsNoOtherGroupFromEnding() {
        GroupRef other = store.groups().enter(new GroupRef(jobs.job().id().value(), "other"), JobMaker.NOW);
        store.groups().close(other, follower());
        GroupJob tooLong = new GroupJob(
                jobs.job().id(),
                follower().partition(),
                new JobTask("n".repeat(200), null, null, null, null, null),
                null);
        store.groups().close(group, tooLong);

        for (int pass = 0; pass < 4; pass++) {
            try {
                store.groups().fold(JobMaker.NOW, jobs.token(), written::addAll, ended -> {});
            } catch (RuntimeException expected) {
                // The agent logs it, and goes on after a while.
            }
        }

        assertThat(store.groups().find("other").orElseThrow().state()).isEqualTo(GroupState.ENDED);
        assertThat(status().state()).isEqualTo(GroupState.CLOSED);
        assertThat(written).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"state = 99", "when_all_ended = '?'", "when_any_fails = '?'"})
    void groupThatCannotBeRead_keepsNoOtherGroupFromEnding(String unreadable) {
        List<String> names = List.of("before", "unreadable", "after", "last");
        for (String name : names) {
            GroupRef inOrder = new GroupRef(new UUID(0, 1 + names.indexOf(name)), name);
            store.groups().enter(inOrder, JobMaker.NOW);
            store.groups().close(inOrder, follower());
        }
        Map<String, Object> row = jdbc.queryForMap("SELECT * FROM delayjob_group WHERE name = 'unreadable'");
        jdbc.update("UPDATE delayjob_group SET " + unreadable + " WHERE name = 'unreadable'");

        fold();

        assertThat(List.of("before", "after", "last"))
                .extracting(name -> store.groups().find(name).orElseThrow().state())
                .containsOnly(GroupState.ENDED);
        assertThat(written).hasSize(3);

        jdbc.update(
                "UPDATE delayjob_group SET state = ?, when_all_ended = ?, when_any_fails = NULL WHERE name = ?",
                row.get("state"),
                row.get("when_all_ended"),
                "unreadable");
        fold();

        assertThat(store.groups().find("unreadable").orElseThrow().state()).isEqualTo(GroupState.ENDED);
        assertThat(written).hasSize(4);
    }

    @Test
    void groupsThatCannotBeRead_keepNoOtherGroupFromBeingListed() {
        GroupRef second = store.groups().enter(new GroupRef(jobs.job().id().value(), "second"), JobMaker.NOW);
        GroupRef third =
                store.groups().enter(new GroupRef(jobs.job().id().value(), "third"), JobMaker.NOW.plusMillis(1));
        jdbc.update("UPDATE delayjob_group SET state = 99 WHERE name IN ('import', 'second')");

        assertThat(store.groups().unended(1)).extracting(GroupStatus::group).containsExactly(third);
        assertThat(store.groups().unended(10)).extracting(GroupStatus::group).containsExactly(third);
        assertThatThrownBy(() -> store.groups().find(second.name())).hasMessageContaining("Invalid state 99");

        store.groups().close(third, null);
        fold();
        jdbc.update("UPDATE delayjob_group SET ended_at = created_at WHERE name IN ('import', 'second')");
        assertThat(store.groups().ended(1)).extracting(GroupStatus::group).containsExactly(third);
        assertThat(store.groups().ended(10)).extracting(GroupStatus::group).containsExactly(third);
    }
}
