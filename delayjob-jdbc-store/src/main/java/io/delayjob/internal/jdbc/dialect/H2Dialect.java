package io.delayjob.internal.jdbc.dialect;

import io.delayjob.store.Durability;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/**
 * The dialect of H2, which is meant for one instance of an application. A transition first locks its rows, and then
 * changes them by {@code MERGE}. {@code FINAL TABLE} returns the changed rows.
 *
 * <p>Each statement begins with the rows of the batch, and finds the rows of the table by an index. So the time of a
 * statement grows with the batch, and not with its square. H2 evaluates a condition again for each row, even if the
 * condition contains the whole batch: {@code id = ANY(array)} searches the array, and {@code id IN (SELECT … FROM
 * UNNEST(array))} runs the subquery.
 *
 * <p>A claim locks rows only by their ids, because H2 also locks the rows that a {@code LIMIT} leaves out. The engine's
 * transitions skip locked rows, so the engine never waits for the application.
 */
final class H2Dialect extends Dialect {

    static final String LOCK_IDS = """
            SELECT j.id
            FROM {ids}
            JOIN {job} j ON j.id = u.id
            FOR UPDATE SKIP LOCKED
            """;

    H2Dialect() {
        super("H2", "h2", "2.2");
    }

    @Override
    public Durability durability(DatabaseMetaData database) throws SQLException {
        return database.getURL().startsWith("jdbc:h2:mem:") ? Durability.PROCESS : super.durability(database);
    }

    @Override
    public boolean keepsTimeoutOnConnection() {
        return true;
    }

    /**
     * H2 reports no error when a missing savepoint is released. So the mark is a row that only this transaction sees.
     */
    @Override
    public Mark mark() {
        return new Mark("""
                CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS delayjob_mark (id INTEGER) ON COMMIT DELETE ROWS TRANSACTIONAL;
                INSERT INTO delayjob_mark VALUES (1)
                """, "SELECT id FROM delayjob_mark");
    }

    @Override
    public SubmissionSql submission() {
        return new H2Submission();
    }

    @Override
    public ByHandSql byHand() {
        return new H2ByHand();
    }

    @Override
    public ClaimSql claims() {
        return new H2Claims();
    }

    @Override
    public EndSql ends() {
        return new H2Ends();
    }

    @Override
    public PageSql pages() {
        return new H2Pages();
    }

    @Override
    public StatisticsSql statistics() {
        return new H2Statistics();
    }

    @Override
    public GroupSql groups() {
        return new H2Groups();
    }

    @Override
    public RegisterSql register() {
        return new H2Register();
    }
}
