package io.delayjob.jdbc;

import io.delayjob.store.StoreException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compares the tables with the script, column by column. A version number would not reveal a script that was applied
 * only in part.
 */
final class Tables {

    private static final Pattern TABLE =
            Pattern.compile("(?m)^CREATE TABLE IF NOT EXISTS ((?:\\w+\\.)?(\\w+)) \\(\n(.*?)^\\)", Pattern.DOTALL);

    /** In the script, the names of columns are in lower case. Constraints and keys are in capitals. */
    private static final Pattern COLUMN = Pattern.compile("(?m)^ +([a-z_]+) ");

    private final Database database;

    Tables(Database database) {
        this.database = database;
    }

    /** Does not check the lock table, because the application may have created it for the application's own locks. */
    void check() {
        TABLE.matcher(database.ddl())
                .results()
                .filter(table -> !table.group(2).equals("shedlock"))
                .forEach(this::check);
    }

    private void check(MatchResult table) {
        Set<String> missing = COLUMN.matcher(table.group(3))
                .results()
                .map(column -> column.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        missing.removeAll(columns(table.group(1)));
        if (!missing.isEmpty()) {
            throw StoreException.refused(
                    "The table %s lacks the columns %s, because it was made for another version of delayjob. Add these columns as in this version's script schema-%s.sql."
                            .formatted(
                                    table.group(1), missing, database.dialect().platform()));
        }
    }

    private Set<String> columns(String table) {
        try {
            return database.columns(table);
        } catch (RuntimeException error) {
            throw StoreErrors.translate(
                    "reading the columns of its table " + table,
                    error,
                    database.dialect().platform());
        }
    }
}
