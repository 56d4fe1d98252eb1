package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.DueRow;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups on a server whose memory is full, and groups beside a row that no version can read. */
@Timeout(60)
class RedisGroupFaultTest extends RedisGroupFixture {

    private static TestRedisServer server;

    RedisGroupFaultTest() {
        super(server.uri());
    }

    @BeforeAll
    static void start() {
        server = TestRedisServer.start("--maxmemory-policy", "noeviction");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private void withFullMemory(Runnable work) {
        redis.configSet("maxmemory", "1");
        try {
            work.run();
        } finally {
            redis.configSet("maxmemory", "0");
        }
    }

    @Test
    void fullServer_cancelsGroups_letsThemEnd_andDeletesThem() {
        Job running = running(member());
        GroupRef closed = open("closed");
        GroupJob done = follower();
        store.groups().close(closed, done);
        GroupRef failing = open("failing");
        GroupJob alarm = follower();
        store.groups().whenAnyFails(failing, alarm);
        fail(running(member(failing)));
        GroupRef unused = open("unused");

        withFullMemory(() -> {
            assertThat(store.groups().cancel(group)).isEqualTo(GroupState.OPEN);
            assertThat(store.groups().close(failing, null)).isEqualTo(GroupState.OPEN);
            end(running, false);
            List<DueRow> written = new ArrayList<>(fold());
            written.addAll(fold());

            assertThat(written).extracting(DueRow::id).containsExactlyInAnyOrder(done.id(), alarm.id());
            assertThat(status().state()).isEqualTo(GroupState.CANCELLED);
            assertThat(status().endedAt()).isNotNull();
            assertThat(status(closed).state()).isEqualTo(GroupState.ENDED);
            assertThat(status(failing).state()).isEqualTo(GroupState.ENDED);
            assertThat(store.groups().purge(NOW.plusMillis(1), 10)).isEqualTo(4);
            assertThat(store.groups().find(unused.name())).isEmpty();
        });
    }

    @Test
    void fullServer_refusesNewGroups_andNewJobsOfGroups() {
        withFullMemory(() -> {
            assertThatThrownBy(() -> open("new")).hasMessageContaining("OOM");
            assertThatThrownBy(() -> store.groups().close(group, follower())).hasMessageContaining("OOM");
            assertThatThrownBy(() -> store.groups().whenAnyFails(group, follower()))
                    .hasMessageContaining("OOM");
        });
    }

    @Test
    void groupThatCannotBeRead_keepsNoOtherFromEnding_fromBeingShown_orFromBeingDeleted() {
        GroupRef waiting = open("waiting");
        List<GroupRef> others = new ArrayList<>();
        List<GroupJob> followers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            others.add(open("import-" + i));
            followers.add(follower());
            store.groups().close(others.get(i), followers.get(i));
        }
        store.groups().close(group, null);
        byte[] row = redis.hget(rowKey(group), "row");
        redis.hset(rowKey(group), "row", Bytes.of("?"));
        List<DueRow> written = new ArrayList<>();

        assertRefused(() -> store.groups().fold(NOW, token(), written::addAll, ended -> {}));

        assertThat(written)
                .extracting(DueRow::id)
                .containsExactlyInAnyOrderElementsOf(
                        followers.stream().map(GroupJob::id).toList());
        assertThat(store.groups().unended(1)).extracting(GroupStatus::group).containsExactly(waiting);
        assertThat(store.groups().ended(100))
                .extracting(GroupStatus::group)
                .containsExactlyInAnyOrderElementsOf(others);
        assertRefused(() -> store.groups().find("import"));
        assertThat(store.groups().purge(NOW.plusMillis(1), 100)).isEqualTo(11);
        redis.hset(rowKey(group), "row", row);
        assertThat(fold()).isEmpty();
        assertThat(status().state()).isEqualTo(GroupState.ENDED);
        redis.hset(rowKey(group), "row", Bytes.of("?"));
        GroupRef ended = open("ended");
        store.groups().close(ended, null);
        fold();
        assertRefused(() -> store.groups().purge(NOW.plusMillis(1), 100));
        assertThat(store.groups().find("ended")).isEmpty();
    }

    private void assertRefused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.isTransient()).isFalse())
                .hasMessageContaining(group.id().toString());
    }
}
