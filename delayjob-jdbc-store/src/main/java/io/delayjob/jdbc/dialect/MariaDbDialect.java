package io.delayjob.jdbc.dialect;

/**
 * The dialect of MariaDB, which differs from MySQL in two ways. The collations of MariaDB have other names. A locking
 * read in MariaDB always locks rows of every table that the statement names. Therefore each locking read names only one
 * table.
 */
final class MariaDbDialect extends MySqlDialect {

    MariaDbDialect() {
        super("MariaDB", "mariadb", "10.6", JsonFragments.of("utf8mb4_nopad_bin", "FOR UPDATE", "LOCK IN SHARE MODE"));
    }
}
