package io.delayjob.jdbc;

import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.springframework.dao.QueryTimeoutException;

/** Statements that a person waits for at a screen: they answer soon, or say why they do not. Thread-safe. */
final class PeoplesReads {

    /** Longer than a bounded look takes with cold caches; short enough for a request and a connection of the pool. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Database database;

    PeoplesReads(Database database) {
        this.database = database.within(LONGEST);
    }

    /** @throws StoreException when the statement was stopped because it took too long */
    <T> List<T> query(String doing, Sql sql, Parameters parameters, Database.RowReader<T> reader) {
        try {
            return database.query(sql, parameters, reader);
        } catch (QueryTimeoutException late) {
            throw StoreException.unavailable(
                    "The job store was stopped while %s, because the statement took longer than %d s: ask again later, or for less; a long lock on the tables or a busy database may be the cause."
                            .formatted(doing, database.timeout().toSeconds()),
                    late);
        }
    }
}
