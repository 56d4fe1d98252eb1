package io.delayjob.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves out rows of groups that cannot be read, so that the work on other groups goes on. Thread-safe. */
final class ReadableGroups {

    private static final Logger log = LoggerFactory.getLogger(ReadableGroups.class);

    /** Maximum number of unreadable rows that are logged. Their ids are kept in memory. */
    static final int MAX_LOGGED = 100;

    private final Set<UUID> logged = ConcurrentHashMap.newKeySet();

    /** The first column of the row must be the id of the group. */
    <T> Optional<T> read(ResultSet row, Database.RowReader<T> reader) throws SQLException {
        try {
            return Optional.of(reader.read(row));
        } catch (RuntimeException invalid) {
            UUID id = Database.uuid(row, 1);
            if (logged.size() < MAX_LOGGED && logged.add(id)) {
                log.warn(
                        "The row of the group with the id {} cannot be read, so delayjob leaves this group out, and the "
                                + "group does not end. If a newer version of delayjob has written the row, update this "
                                + "instance; otherwise restore the row. The reason: {}",
                        id,
                        invalid.toString());
            }
            return Optional.empty();
        }
    }
}
