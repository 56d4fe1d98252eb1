package io.delayjob.jdbc.dialect;

/** Reads for people in MySQL and MariaDB. */
final class MySqlReads extends ReadSql {

    /**
     * The statement names the index. Otherwise the optimizer would read along the primary key, because the rows are
     * ordered by id.
     */
    @Override
    public String findKey() {
        return super.findKey().replace("{history}", "{history} FORCE INDEX (history_key)");
    }

    /**
     * The condition compares single columns. If it compared both columns at once, as rows, the optimizer would not find
     * the range in the index.
     */
    @Override
    String behind(String due, String id) {
        return "(due_at = %1$s AND id > %2$s OR due_at > %1$s)".formatted(due, id);
    }
}
