package io.delayjob.jdbc.dialect;

import java.util.Map;

/**
 * MySQL, and what MariaDB has in common with it. There are no arrays and no {@code RETURNING}: a batch goes in as JSON,
 * and a transition first locks its rows and reads them as they will be, then makes them so.
 *
 * <p>InnoDB locks the gap where a locking read or a duplicate finds nothing, and whoever inserts there has to wait. In
 * READ COMMITTED, the level of the store's own transactions, only duplicates do so; in REPEATABLE READ, the usual level
 * of the caller's, reads do as well. So the store looks before it inserts a key, and no statement locks what a plain
 * look does not find.
 */
class MySqlDialect extends Dialect {

    static final String CHANGE_LOCKED = """
            UPDATE {locked}
            {job_of_locked}
            SET %s
            """;

    private final Map<String, String> fragments;

    /** The collation is the newest thing asked for. */
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
    public final RegisterSql register() {
        return new MySqlRegister();
    }
}
