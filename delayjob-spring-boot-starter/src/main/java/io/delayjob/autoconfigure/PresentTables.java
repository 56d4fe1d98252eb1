package io.delayjob.autoconfigure;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a database's catalogue which tables and indexes exist. Unlike {@code IF NOT EXISTS}, such a read locks
 * nothing. One read finds all tables with the same prefix, because reads are slow. Not thread-safe.
 */
final class PresentTables {

    private static final String IF_NOT_EXISTS = "\\s+IF\\s+NOT\\s+EXISTS\\s+";
    private static final String SCHEMA = "(?:(\\w+)\\.)?";

    private static final Pattern TABLE =
            Pattern.compile("CREATE\\s+TABLE" + IF_NOT_EXISTS + SCHEMA + "(\\w+)\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern INDEX = Pattern.compile(
            "CREATE\\s+(?:UNIQUE\\s+)?INDEX" + IF_NOT_EXISTS + "(\\w+)\\s+ON\\s+" + SCHEMA + "(\\w+)\\b",
            Pattern.CASE_INSENSITIVE);

    /** Texts, quoted names and comments may contain semicolons. */
    private static final Pattern STATEMENT = Pattern.compile(
            "^[ \\t]*+(CREATE\\s[^;'\"-]*+(?:-(?!-)|--[^\\n]*+|'[^']*+'|\"[^\"]*+\"|[^;'\"-]++)*+);",
            Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

    private final DatabaseMetaData catalogue;
    private final @Nullable String database;
    private final @Nullable String ownSchema;

    /** Names of existing tables. Each key consists of a schema and a pattern for names. */
    private final Map<List<@Nullable String>, Set<String>> tables = new HashMap<>();

    private final Map<List<@Nullable String>, Set<String>> indexes = new HashMap<>();

    PresentTables(Connection connection) throws SQLException {
        this.catalogue = connection.getMetaData();
        this.database = connection.getCatalog();
        this.ownSchema = connection.getSchema();
    }

    String withoutThem(String script) throws SQLException {
        StringBuilder rest = new StringBuilder();
        Matcher statement = STATEMENT.matcher(script);
        while (statement.find()) {
            String kept = has(statement.group(1)) ? "" : statement.group();
            statement.appendReplacement(rest, Matcher.quoteReplacement(kept));
        }
        return statement.appendTail(rest).toString();
    }

    private boolean has(String statement) throws SQLException {
        Matcher table = TABLE.matcher(statement);
        if (table.lookingAt()) {
            return hasTable(schema(table.group(1)), stored(table.group(2)));
        }
        Matcher index = INDEX.matcher(statement);
        return index.lookingAt() && hasIndex(schema(index.group(2)), stored(index.group(3)), index.group(1));
    }

    private boolean hasTable(@Nullable String schema, String table) throws SQLException {
        String alike = alike(table);
        List<@Nullable String> key = Arrays.asList(schema, alike);
        Set<String> known = tables.get(key);
        if (known == null) {
            known = readTables(schema, alike);
            tables.put(key, known);
        }
        return known.contains(table);
    }

    /** The prefix ends with the first underscore. */
    private String alike(String table) throws SQLException {
        int prefix = table.indexOf('_') + 1;
        return prefix == 0 ? table : exactly(table.substring(0, prefix)) + "%";
    }

    private Set<String> readTables(@Nullable String schema, String pattern) throws SQLException {
        String schemaPattern = schema == null ? null : exactly(schema);
        Set<String> names = new HashSet<>();
        try (ResultSet found = catalogue.getTables(database, schemaPattern, pattern, null)) {
            while (found.next()) {
                names.add(found.getString("TABLE_NAME"));
            }
        }
        return names;
    }

    /** An underscore in a pattern matches any character. */
    private String exactly(String name) throws SQLException {
        return name.replace("_", catalogue.getSearchStringEscape() + "_");
    }

    private boolean hasIndex(@Nullable String schema, String table, String index) throws SQLException {
        if (!hasTable(schema, table)) {
            return false;
        }
        List<@Nullable String> key = Arrays.asList(schema, table);
        Set<String> known = indexes.get(key);
        if (known == null) {
            known = readIndexes(schema, table);
            indexes.put(key, known);
        }
        return known.contains(index);
    }

    private Set<String> readIndexes(@Nullable String schema, String table) throws SQLException {
        boolean uniqueOnly = false;
        boolean approximate = true;
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        try (ResultSet found = catalogue.getIndexInfo(database, schema, table, uniqueOnly, approximate)) {
            while (found.next()) {
                // A row with only statistics of the table names no index.
                String name = found.getString("INDEX_NAME");
                if (name != null) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private @Nullable String schema(@Nullable String named) throws SQLException {
        return named == null ? ownSchema : stored(named);
    }

    /** The database may store unquoted names in another case. */
    private String stored(String name) throws SQLException {
        if (catalogue.storesUpperCaseIdentifiers()) {
            return name.toUpperCase(Locale.ROOT);
        }
        return catalogue.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
    }
}
