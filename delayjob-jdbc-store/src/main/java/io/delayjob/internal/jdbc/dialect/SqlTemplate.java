package io.delayjob.internal.jdbc.dialect;

import io.delayjob.job.OversizePayload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fills the placeholders in the statements of a {@link Dialect}. The placeholders stand, for example, for the tables'
 * names and the states' numbers. Immutable.
 */
public final class SqlTemplate {

    /** The default prefix of the tables. */
    public static final String DEFAULT_PREFIX = "delayjob_";

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[a-z_]+}");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,30}");
    private static final Pattern SCHEMA = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final List<String> TABLES = List.of(
            "job", "history", "attempt", "instance", "queue", "notice", "identity", "minute", "group", "group_change");

    private final Map<String, String> values = new HashMap<>();
    private final String prefix;
    private final String qualifier;

    /**
     * @param prefix the prefix of the tables' names: a letter or underscore, then at most 30 letters, digits and
     *     underscores
     * @param schema the schema of the tables; {@code null} for the schema of the connection
     */
    public SqlTemplate(String prefix, @Nullable String schema) {
        this(prefix, schema, OversizePayload.DEFAULT_LIMIT);
    }

    /**
     * Like {@link #SqlTemplate(String, String)}, but with another maximum length of payloads.
     *
     * @param maxPayloadBytes maximum length of a payload that is read, in bytes of UTF-8
     */
    public SqlTemplate(String prefix, @Nullable String schema, long maxPayloadBytes) {
        this.prefix = checked("table prefix", prefix, PREFIX, 31);
        this.qualifier = schema == null ? "" : checked("schema", schema, SCHEMA, 63) + ".";
        for (String table : TABLES) {
            values.put("{" + table + "}", qualifier + prefix + table);
        }
        values.put("{lock}", lockTable());
        values.put("{max_payload_bytes}", String.valueOf(maxPayloadBytes));
        for (StoredState state : StoredState.values()) {
            values.put(state.placeholder(), String.valueOf(state.code()));
        }
    }

    private static String checked(String what, String value, Pattern rule, int length) {
        if (!rule.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    ("Invalid %s '%s': must begin with a letter or an underscore and have at most %d "
                                    + "characters, all letters, digits or underscores. The text becomes part of every "
                                    + "statement.")
                            .formatted(what, value, length));
        }
        return value;
    }

    /**
     * Returns the statement of the dialect with every placeholder filled. The value of a placeholder may contain
     * placeholders, too.
     */
    public String fill(Dialect dialect, String statement) {
        Map<String, String> fragments = dialect.fragments();
        return PLACEHOLDER.matcher(statement).replaceAll(found -> {
            String value = values.get(found.group());
            String fragment = value == null ? fragments.get(found.group()) : null;
            String filled = fragment == null ? value : fill(dialect, fragment);
            return Matcher.quoteReplacement(filled == null ? found.group() : filled);
        });
    }

    /**
     * Renames the tables in the DDL that the jar contains. Constraints and indexes get the prefix, but never a schema.
     */
    public String rename(String ddl) {
        return ddl.replaceAll("(TABLE IF NOT EXISTS|\\bON) " + DEFAULT_PREFIX, "$1 " + qualifier + prefix)
                .replaceAll("(CONSTRAINT|INDEX IF NOT EXISTS) " + DEFAULT_PREFIX, "$1 " + prefix)
                .replace("TABLE IF NOT EXISTS shedlock", "TABLE IF NOT EXISTS " + lockTable());
    }

    /** Returns the prefix of the tables' names. */
    public String prefix() {
        return prefix;
    }

    /**
     * Returns the name of ShedLock's table. The name has no prefix, because an application may already use ShedLock's
     * table.
     */
    public String lockTable() {
        return qualifier + "shedlock";
    }
}
