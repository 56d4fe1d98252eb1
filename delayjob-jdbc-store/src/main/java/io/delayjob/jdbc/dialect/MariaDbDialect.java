package io.delayjob.jdbc.dialect;

/**
 * MariaDB differs from MySQL in two ways. Its collations have other names. In addition, a locking read always locks the
 * rows of all tables that it names. So each locking read names only one table.
 */
final class MariaDbDialect extends MySqlDialect {

    MariaDbDialect() {
        super("MariaDB", "mariadb", "10.6", JsonFragments.of("utf8mb4_nopad_bin", "FOR UPDATE", "LOCK IN SHARE MODE"));
    }
}
