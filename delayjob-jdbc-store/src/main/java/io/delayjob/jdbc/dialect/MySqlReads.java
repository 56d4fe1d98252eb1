package io.delayjob.jdbc.dialect;

/** Reads for people in MySQL and MariaDB. */
final class MySqlReads extends ReadSql {

    /** The order of the ids would tempt the optimizer to read along the primary key. */
    @Override
    public String findKey() {
        return super.findKey().replace("{history}", "{history} FORCE INDEX (history_key)");
    }
}
