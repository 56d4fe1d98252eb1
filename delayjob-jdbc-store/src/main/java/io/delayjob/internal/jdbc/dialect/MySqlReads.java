package io.delayjob.internal.jdbc.dialect;

final class MySqlReads extends ReadSql {

    /** Names the index, because the optimizer would otherwise read along the primary key. */
    @Override
    public String findKey() {
        return super.findKey().replace("{history}", "{history} FORCE INDEX (history_key)");
    }

    /** Compares single columns, because the optimizer does not recognise a range in a comparison of rows. */
    @Override
    String behind(String due, String id) {
        return "(due_at = %1$s AND id > %2$s OR due_at > %1$s)".formatted(due, id);
    }
}
