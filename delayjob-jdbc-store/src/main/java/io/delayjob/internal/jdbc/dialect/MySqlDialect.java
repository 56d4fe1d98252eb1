package io.delayjob.internal.jdbc.dialect;

import java.util.Map;

/**
 * The SQL that MySQL and MariaDB share. A script does not use {@code RETURNING}, but reads the new values of its locked
 * rows before it changes these rows.
 *
 * <p>InnoDB may lock a gap between two rows, and inserts into this gap then wait. InnoDB locks a gap if an insert finds
 * a duplicate. At REPEATABLE READ, InnoDB also locks a gap if a locking read finds no row. So the store reads a key
 * before it inserts the key, and locks only rows that a plain read has found.
 */
class MySqlDialect extends Dialect {

    static final String CHANGE_LOCKED = """
            UPDATE {locked}
            {job_of_locked}
            SET %s
            """;

    private final Map<String, String> fragments;

    /** The oldest supported version introduced the collation {@code utf8mb4_0900_bin}. */
    MySqlDialect() {
        this("MySQL", "mysql", "8.0.17", JsonFragments.of("utf8mb4_0900_bin", "FOR UPDATE OF j", "FOR SHARE OF j"));
    }

    MySqlDialect(String productName, String platform, String oldest, Map<String, String> fragments) {
        super(productName, platform, oldest);
        this.fragments = fragments;
    }

    @Override
    final Map<String, String> fragments() {
        return fragments;
    }

    @Override
    public final boolean hasArrays() {
        return false;
    }

    @Override
    public final Mark mark() {
        return new Mark("SAVEPOINT delayjob_attempt", "RELEASE SAVEPOINT delayjob_attempt");
    }

    @Override
    public final SubmissionSql submission() {
        return new MySqlSubmission();
    }

    @Override
    public final ByHandSql byHand() {
        return new MySqlByHand();
    }

    @Override
    public final ClaimSql claims() {
        return new MySqlClaims();
    }

    @Override
    public final EndSql ends() {
        return new MySqlEnds();
    }

    @Override
    public final PageSql pages() {
        return new MySqlPages();
    }

    @Override
    public final ReadSql reads() {
        return new MySqlReads();
    }

    @Override
    public final StatisticsSql statistics() {
        return new MySqlStatistics();
    }

    @Override
    public final GroupSql groups() {
        return new MySqlGroups();
    }

    @Override
    public final RegisterSql register() {
        return new MySqlRegister();
    }
}
