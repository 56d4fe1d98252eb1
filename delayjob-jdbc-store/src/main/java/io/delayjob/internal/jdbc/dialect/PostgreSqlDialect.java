package io.delayjob.internal.jdbc.dialect;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;
import org.springframework.util.ClassUtils;

/**
 * The dialect of PostgreSQL. Each transition is one statement. Batches are joined through {@code UNNEST}, because
 * otherwise the choice of the index would depend on statistics.
 *
 * <p>A plan that was made for an empty table may later read a million rows. So the engine's own transactions begin with
 * settings that prevent such a plan. In an application's transaction, the settings would affect later statements, so
 * the driver lets the server plan each statement anew.
 */
final class PostgreSqlDialect extends Dialect {

    static final boolean HAS_ITS_DRIVER =
            ClassUtils.isPresent("org.postgresql.PGStatement", PostgreSqlDialect.class.getClassLoader());

    /** This class is separate, because it can be loaded only if the driver of PostgreSQL is present. */
    private static final class Driver {

        /** Otherwise, the server would keep one plan for a prepared statement after some runs. */
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
