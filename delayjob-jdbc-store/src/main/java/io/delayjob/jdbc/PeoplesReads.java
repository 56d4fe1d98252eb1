package io.delayjob.jdbc;

import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.springframework.dao.QueryTimeoutException;

/**
 * Runs reads while a person waits for the result. Each read returns soon, or fails with a message that states the
 * reason. Thread-safe.
 */
final class PeoplesReads {

    /**
     * Time limit of a statement. A person waits for the result, and accepts a wait of this length. A read of a limited
     * number of rows takes less time, even if no row is in a cache.
     */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Database database;

    PeoplesReads(Database database) {
        this.database = database.within(LONGEST);
    }

    /** @throws StoreException if the statement was stopped because it took too long */
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
