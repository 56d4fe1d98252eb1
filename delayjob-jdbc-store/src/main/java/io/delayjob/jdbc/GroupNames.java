package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.GroupSql;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import java.time.Instant;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;

/** Finds groups by their names, or writes them, within the transaction under way. Thread-safe. */
final class GroupNames {

    private final Database database;
    private final Sql insert;
    private final Sql findId;
    private final Sql findLatestId;

    GroupNames(Database database) {
        GroupSql sql = database.dialect().groups();
        this.database = database;
        this.insert = database.sql(sql.insertGroup());
        this.findId = database.sql(sql.findId());
        this.findLatestId = database.sql(sql.findLatestId());
    }

    /** See {@link io.delayjob.store.JobGroups#enter}. */
    GroupRef enter(GroupRef proposed, Instant now) {
        return find(findId, proposed.name()).orElseGet(() -> written(proposed, now));
    }

    private GroupRef written(GroupRef proposed, Instant now) {
        Parameters group = Parameters.none()
                .set("id", proposed.id())
                .set("name", proposed.name())
                .set("state", StoredGroup.numberOf(GroupState.OPEN))
                .set("createdAt", now.toEpochMilli());
        try {
            if (database.update(insert, group) > 0) {
                return proposed;
            }
        } catch (DuplicateKeyException taken) {
            // This happens only in a database without ON CONFLICT. The transaction goes on.
        }
        return find(findLatestId, proposed.name()).orElse(proposed);
    }

    private Optional<GroupRef> find(Sql byName, String name) {
        return database
                .query(byName, Parameters.none().set("name", name), row -> new GroupRef(Database.uuid(row, 1), name))
                .stream()
                .findFirst();
    }
}
