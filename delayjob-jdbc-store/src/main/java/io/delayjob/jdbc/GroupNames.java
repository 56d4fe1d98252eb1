package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.GroupSql;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.dao.DuplicateKeyException;

/** Finds groups by their names within the current transaction, and writes missing groups. Thread-safe. */
final class GroupNames {

    /** @param isNew whether the current transaction has just written the group */
    record Entered(GroupRef group, boolean isNew) {}

    private final Database database;
    private final Sql insert;
    private final Sql findId;
    private final Sql findLatestId;
    private final Sql delete;

    GroupNames(Database database) {
        GroupSql sql = database.dialect().groups();
        this.database = database;
        this.insert = database.sql(sql.insertGroup());
        this.findId = database.sql(sql.findId());
        this.findLatestId = database.sql(sql.findLatestId());
        this.delete = database.sql(sql.delete());
    }

    Entered enter(GroupRef proposed, Instant now) {
        return find(findId, proposed.name())
                .map(group -> new Entered(group, false))
                .orElseGet(() -> written(proposed, now));
    }

    private Entered written(GroupRef proposed, Instant now) {
        Parameters group = Parameters.none()
                .set("id", proposed.id())
                .set("name", proposed.name())
                .set("state", StoredGroup.numberOf(GroupState.OPEN))
                .set("createdAt", now.toEpochMilli());
        try {
            if (database.update(insert, group) > 0) {
                return new Entered(proposed, true);
            }
        } catch (DuplicateKeyException taken) {
            // Only a database without ON CONFLICT reports this error. The transaction continues.
        }
        return new Entered(find(findLatestId, proposed.name()).orElse(proposed), false);
    }

    /** The current transaction must have written this group. */
    void delete(UUID id) {
        database.update(delete, Parameters.none().set("id", id));
    }

    private Optional<GroupRef> find(Sql byName, String name) {
        return database
                .query(byName, Parameters.none().set("name", name), row -> new GroupRef(Database.uuid(row, 1), name))
                .stream()
                .findFirst();
    }
}
