package io.delayjob.jdbc.dialect;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;
import org.springframework.util.ClassUtils;

/**
 * The dialect of PostgreSQL. Each transition is one statement. Batches are joined through {@code UNNEST}, because with
 * {@code = ANY(...)} and other predicates, the choice of the index would depend on statistics.
 *
 * <p>A table of unfinished jobs may be empty now and have a million rows soon. A plan that was made for the empty table
 * then reads all these rows, until the next {@code ANALYZE}. So the engine's statements are sent with settings that
 * prevent such a plan. The settings and the statement are sent in one round trip. The settings apply only to the
 * engine's own short transaction. In an application's transaction, the settings would affect later statements. So in
 * such a transaction, the driver lets the server plan each statement anew.
 */
final class PostgreSqlDialect extends Dialect {

    /** Whether PostgreSQL's own driver is present. Other drivers can also connect to PostgreSQL. */
    static final boolean HAS_ITS_DRIVER =
            ClassUtils.isPresent("org.postgresql.PGStatement", PostgreSqlDialect.class.getClassLoader());

    /** This class can be loaded only if the driver is present. Therefore it is a separate class. */
    private static final class Driver {

        /**
         * The statement is never prepared on the server, because after some runs the server would keep a plan for it.
         */
        static void planAnew(PreparedStatement statement) throws SQLException {
            if (statement.isWrapperFor(PGStatement.class)) {
                statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            }
        }
    }

    PostgreSqlDialect() {
        super("PostgreSQL", "postgresql", "13");
    }

    @Override
    public String guard() {
        return PostgreSqlSettings.ENDED_WHEN_SILENT + PostgreSqlSettings.PLANNED_ANEW + PostgreSqlSettings.ONE_BY_ONE;
    }

    @Override
    public String limitLockWaits() {
        return "SET LOCAL lock_timeout = '200ms'";
    }

    @Override
    public void planAnew(PreparedStatement statement) throws SQLException {
        if (HAS_ITS_DRIVER) {
            Driver.planAnew(statement);
        }
    }

    @Override
    public Array array(Connection connection, String type, @Nullable Object[] values) throws SQLException {
        return HAS_ITS_DRIVER && values instanceof UUID[] ids && PostgreSqlIds.isPossible(connection)
                ? PostgreSqlIds.array(connection, ids)
                : super.array(connection, type, values);
    }

    @Override
    public SubmissionSql submission() {
        return new PostgreSqlSubmission();
    }

    @Override
    public ByHandSql byHand() {
        return new PostgreSqlByHand();
    }

    @Override
    public ClaimSql claims() {
        return new PostgreSqlClaims();
    }

    @Override
    public EndSql ends() {
        return new PostgreSqlEnds();
    }

    @Override
    public PageSql pages() {
        return new PostgreSqlPages();
    }

    @Override
    public ReadSql reads() {
        return new PostgreSqlReads();
    }

    @Override
    public StatisticsSql statistics() {
        return new PostgreSqlStatistics();
    }

    @Override
    public GroupSql groups() {
        return new PostgreSqlGroups();
    }

    @Override
    public RegisterSql register() {
        return new PostgreSqlRegister();
    }
}
