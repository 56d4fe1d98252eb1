package io.delayjob.jdbc.dialect;

/** Reads for people in MySQL and MariaDB. */
final class MySqlReads extends ReadSql {

    /** Names the index, because the order by id would make the optimizer read along the primary key. */
    @Override
    public String findKey() {
        return super.findKey().replace("{history}", "{history} FORCE INDEX (history_key)");
    }
}
