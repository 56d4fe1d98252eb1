package io.delayjob.jdbc;

import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.springframework.dao.QueryTimeoutException;

/** Runs reads while a person waits for the result. Thread-safe. */
final class PeoplesReads {

    /** Reading a limited number of rows takes less time than this, even if no row is cached. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Database database;

    PeoplesReads(Database database) {
        this.database = database.within(LONGEST);
    }

    <T> List<T> query(String doing, Sql sql, Parameters parameters, Database.RowReader<T> reader) {
        try {
            return database.query(sql, parameters, reader);
        } catch (QueryTimeoutException late) {
            throw StoreException.unavailable(
                    ("The job store was stopped while %s, because the statement took longer than %d s. A long "
                                    + "lock on the tables or a busy database may be the cause. Ask again later, or ask "
                                    + "for fewer jobs.")
                            .formatted(doing, database.timeout().toSeconds()),
                    late);
        }
    }
}
