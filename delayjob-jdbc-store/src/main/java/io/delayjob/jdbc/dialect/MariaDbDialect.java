package io.delayjob.jdbc.dialect;

/**
 * MariaDB: as MySQL, but for the names of its collations, and that it always locks the rows of all tables that a
 * locking read names; here there is never but one.
 */
final class MariaDbDialect extends MySqlDialect {

    MariaDbDialect() {
        super("MariaDB", "mariadb", "10.6", JsonFragments.of("utf8mb4_nopad_bin", "FOR UPDATE", "LOCK IN SHARE MODE"));
    }
}
