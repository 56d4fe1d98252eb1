package io.delayjob.jdbc;

import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupRef;
import io.delayjob.job.JobExtras;
import io.delayjob.job.NewJob;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Inserts counts of started and ended group members. An insert locks no existing row, so transactions do not wait for
 * each other. Thread-safe.
 */
final class GroupCounter {

    /** Used by one thread. */
    static final class Counted {
        private final Map<UUID, GroupCounts> counts = new TreeMap<>();

        void add(@Nullable GroupRef group, GroupCounts change) {
            if (group != null) {
                counts.merge(group.id(), change, GroupCounts::plus);
            }
        }
    }

    /** Reads the groups of new jobs from their extras. Used by one thread. */
    static final class GroupReader {
        private @Nullable String text;
        private @Nullable GroupRef group;

        @Nullable
        GroupRef of(NewJob job) {
            String extras = job.extras();
            if (extras == null) {
                return null;
            }
            if (!extras.equals(text)) {
                text = extras;
                group = JobExtras.groupOf(extras);
            }
            return group;
        }
    }

    private final Database database;
    private final Sql insert;

    GroupCounter(Database database) {
        this.database = database;
        this.insert = database.keptSql(database.dialect().groups().insertCounts());
    }

    void write(Counted counted) {
        Collection<Map.Entry<UUID, GroupCounts>> rows = counted.counts.entrySet();
        if (!rows.isEmpty()) {
            database.update(
                    insert,
                    Parameters.none()
                            .uuids("id", rows, Map.Entry::getKey)
                            .longs("begun", rows, row -> row.getValue().begun())
                            .longs("finished", rows, row -> row.getValue().finished())
                            .longs("failed", rows, row -> row.getValue().failed())
                            .longs("cancelled", rows, row -> row.getValue().cancelled()));
        }
    }

    void begin(Collection<NewJob> jobs) {
        Counted counted = new Counted();
        GroupReader groups = new GroupReader();
        jobs.forEach(job -> counted.add(groups.of(job), GroupCounts.BEGIN));
        write(counted);
    }
}
