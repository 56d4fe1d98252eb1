package io.delayjob.internal.jdbc.dialect;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The first statement of a script locks the rows, and returns the values that they will have after the change. The
 * second statement changes the rows.
 */
final class MySqlClaims extends ClaimSql {

    private static final Map<String, String> CLAIMED = new TreeMap<>(Map.of(
            "state", "{running}",
            "owner", ":owner",
            "token", ":freshToken",
            "attempt", "CASE WHEN j.awaiting THEN j.attempt ELSE j.attempt + 1 END",
            "started_at", "GREATEST(:now, j.due_at)"));

    private static final Map<String, String> RELEASED =
            new TreeMap<>(Map.of("state", "{delayed}", "owner", "0", "token", ":freshToken"));

    private static final Map<String, String> RESCUED = new TreeMap<>(Map.of(
            "state", "{delayed}",
            "owner", "0",
            "token", ":freshToken",
            "due_at", ":now",
            "failures", "j.failures + 1",
            "rescues", "j.rescues + 1",
            "in_doubt", "j.in_doubt + 1",
            "awaiting", "FALSE"));

    private static String changed(Map<String, String> change) {
        return Fragments.jobColumns("j.", change);
    }

    private static String change(Map<String, String> change) {
        return MySqlDialect.CHANGE_LOCKED.formatted(change.entrySet().stream()
                .map(column -> "j." + column.getKey() + " = " + column.getValue())
                .collect(Collectors.joining(", ")));
    }

    @Override
    public Script claim() {
        return Script.answering("""
                SELECT %s
                FROM {tokens}
                {job_of_batch}
                WHERE j.token = b.token AND j.state = {delayed}
                {for_update} SKIP LOCKED
                """.formatted(changed(CLAIMED)), change(CLAIMED));
    }

    @Override
    public Script release() {
        return Script.answering("""
                SELECT %s
                FROM {tokens}
                {job_of_batch}
                WHERE j.token IN (b.token, :claimToken)
                {for_update} SKIP LOCKED
                """.formatted(changed(RELEASED)), change(RELEASED));
    }

    @Override
    public Script rescue() {
        return Script.answering("""
                SELECT %s
                FROM {tokens}
                {job_of_batch}
                WHERE j.token = b.token
                {for_update} SKIP LOCKED
                """.formatted(changed(RESCUED)), change(RESCUED));
    }
}
