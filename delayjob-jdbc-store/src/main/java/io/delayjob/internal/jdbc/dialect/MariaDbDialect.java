package io.delayjob.internal.jdbc.dialect;

/**
 * The dialect of MariaDB, where collations have other names than in MySQL. A locking read locks rows of every table
 * that it names, so each locking read names only one table.
 */
final class MariaDbDialect extends MySqlDialect {

    MariaDbDialect() {
        super("MariaDB", "mariadb", "10.6", JsonFragments.of("utf8mb4_nopad_bin", "FOR UPDATE", "LOCK IN SHARE MODE"));
    }
}
