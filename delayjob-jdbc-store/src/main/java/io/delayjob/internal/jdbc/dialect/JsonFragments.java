package io.delayjob.internal.jdbc.dialect;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Parts of statements for databases with {@code JSON_TABLE}. A batch is sent as one JSON text.
 *
 * <p>MariaDB cuts a text to the length of its {@code VARCHAR} column, even with {@code ERROR ON ERROR}. Therefore, the
 * columns of {@code JSON_TABLE} are one character longer than the columns of the tables. A text that is too long then
 * stays too long, and the table refuses the text. A column of names must not be a {@code LONGTEXT}, because MySQL would
 * then read the names again for each row.
 *
 * <p>Each statement begins with the rows of the batch ({@code b}) or of the list of locked ids ({@code l}). For each of
 * these rows, the statement finds the job by the primary key. Therefore, no query plan depends on statistics, and the
 * rows are locked in the order of the batch.
 */
final class JsonFragments {

    private static final String IDS = """
            JSON_TABLE(:batch, '$[*]' COLUMNS (id CHAR(32) PATH '$.id')) AS b""";

    private static final String TOKENS = """
            JSON_TABLE(:batch, '$[*]' COLUMNS (
                id CHAR(32) PATH '$.id', token BIGINT PATH '$.token', state SMALLINT PATH '$.state'
            )) AS b""";

    private static final String MOVES = """
            JSON_TABLE(:batch, '$[*]' COLUMNS (id CHAR(32) PATH '$.id', due_at BIGINT PATH '$.dueAt')) AS b""";

    private static final String LOCKED = """
            JSON_TABLE(:locked, '$[*]' COLUMNS (id CHAR(32) PATH '$')) AS l""";

    private static final String IS_LOCKED = "j.id IN (SELECT UNHEX(l.id) FROM " + LOCKED + ")";

    private static final String KEYS = """
            JSON_TABLE(:batch, '$[*]' COLUMNS (
                name VARCHAR(101) {characters} PATH '$.name' ERROR ON ERROR,
                job_key VARCHAR(201) {characters} PATH '$.key' ERROR ON ERROR
            )) AS b""";

    private static final String NAMES = """
            JSON_TABLE(:name, '$[*]' COLUMNS (name VARCHAR(101) {characters} PATH '$' ERROR ON ERROR)) AS n""";

    private static final String NEW_JOBS = """
            JSON_TABLE(:batch, '$[*]' COLUMNS (
                id CHAR(32) PATH '$.id',
                partition_id INTEGER PATH '$.partition',
                name VARCHAR(101) {characters} PATH '$.name' ERROR ON ERROR,
                job_key VARCHAR(201) {characters} PATH '$.key' ERROR ON ERROR,
                payload LONGTEXT {characters} PATH '$.payload',
                schedule LONGTEXT {characters} PATH '$.schedule',
                retry LONGTEXT {characters} PATH '$.retry',
                trace LONGTEXT {characters} PATH '$.trace',
                extras LONGTEXT {characters} PATH '$.extras',
                token BIGINT PATH '$.token',
                scheduled_at BIGINT PATH '$.scheduledAt',
                planned_at BIGINT PATH '$.plannedAt',
                due_at BIGINT PATH '$.dueAt'
            )) AS b""";

    private static final String LOCKED_ENDINGS = """
            JSON_TABLE(:lockedRows, '$[*]' COLUMNS (
                id CHAR(32) PATH '$.id',
                token BIGINT PATH '$.token',
                fresh_token BIGINT PATH '$.freshToken',
                state SMALLINT PATH '$.state',
                run INTEGER PATH '$.run',
                planned_at BIGINT PATH '$.plannedAt',
                called_at BIGINT PATH '$.calledAt',
                ended_at BIGINT PATH '$.endedAt',
                doubt INTEGER PATH '$.doubt',
                failure_type LONGTEXT {characters} PATH '$.failureType',
                failure_message LONGTEXT {characters} PATH '$.failureMessage',
                failure_trace LONGTEXT {characters} PATH '$.failureTrace',
                extras LONGTEXT {characters} PATH '$.extras',
                keep SMALLINT PATH '$.keep',
                keep_seconds INTEGER PATH '$.keepSeconds'
            )) AS b""";

    private static final String LOCKED_RETURNS = """
            JSON_TABLE(:lockedRows, '$[*]' COLUMNS (
                id CHAR(32) PATH '$.id',
                token BIGINT PATH '$.token',
                fresh_token BIGINT PATH '$.freshToken',
                run INTEGER PATH '$.run',
                new_run SMALLINT PATH '$.newRun',
                planned_at BIGINT PATH '$.plannedAt',
                due_at BIGINT PATH '$.dueAt',
                failures INTEGER PATH '$.failures',
                awaiting SMALLINT PATH '$.awaiting',
                doubt INTEGER PATH '$.doubt',
                extras LONGTEXT {characters} PATH '$.extras'
            )) AS b""";

    private static final String ATTEMPTS = """
            JSON_TABLE(:batch, '$[*]' COLUMNS (
                id CHAR(32) PATH '$.id',
                run INTEGER PATH '$.run',
                attempt INTEGER PATH '$.attempt',
                outcome VARCHAR(41) {characters} PATH '$.outcome' ERROR ON ERROR,
                owner BIGINT PATH '$.owner',
                due_at BIGINT PATH '$.dueAt',
                started_at BIGINT PATH '$.startedAt',
                called_at BIGINT PATH '$.calledAt',
                ended_at BIGINT PATH '$.endedAt',
                failure_type LONGTEXT {characters} PATH '$.failureType',
                failure_message LONGTEXT {characters} PATH '$.failureMessage',
                failure_trace LONGTEXT {characters} PATH '$.failureTrace'
            )) AS b""";

    private static final String MINUTES = """
            JSON_TABLE(:batch, '$[*]' COLUMNS (
                minute_at BIGINT PATH '$.minuteAt',
                name VARCHAR(101) {characters} PATH '$.name' ERROR ON ERROR,
                starts BIGINT PATH '$.starts',
                succeeded BIGINT PATH '$.succeeded',
                retried BIGINT PATH '$.retried',
                failed BIGINT PATH '$.failed',
                run_micros BIGINT PATH '$.runMicros',
                %s
            )) AS b""".formatted(StatisticsSql.LATE.stream()
            .map(letter -> "late_%s BIGINT PATH '$.late%s'".formatted(letter, letter.toUpperCase(Locale.ROOT)))
            .collect(Collectors.joining(", ")));

    private static final String GROUP_COUNTS = """
            JSON_TABLE(:batch, '$[*]' COLUMNS (
                id CHAR(32) PATH '$.id',
                begun BIGINT PATH '$.begun',
                finished BIGINT PATH '$.finished',
                failed BIGINT PATH '$.failed',
                cancelled BIGINT PATH '$.cancelled'
            )) AS b""";

    private static final String HOUR_SUMS = """
            JSON_TABLE(:batch, '$[*]' COLUMNS (hour_at BIGINT PATH '$.hourAt')) AS h
            STRAIGHT_JOIN {minute} m FORCE INDEX (PRIMARY) ON m.minute_at = h.hour_at AND m.owner = 0""";

    private static final String JOB_OF_BATCH = "STRAIGHT_JOIN {job} j FORCE INDEX (PRIMARY) ON j.id = UNHEX(b.id)";

    private static final String JOB_OF_LOCKED = "STRAIGHT_JOIN {job} j FORCE INDEX (PRIMARY) ON j.id = UNHEX(l.id)";

    private static final String JOB_OF_KEY =
            "STRAIGHT_JOIN {job} j FORCE INDEX (job_key) ON j.name = b.name AND j.job_key = b.job_key";

    private static final Map<String, String> PARTS = Map.ofEntries(
            Map.entry("{ids}", IDS),
            Map.entry("{tokens}", TOKENS),
            Map.entry("{moves}", MOVES),
            Map.entry("{is_locked}", IS_LOCKED),
            Map.entry("{locked}", LOCKED),
            Map.entry("{keys}", KEYS),
            Map.entry("{names}", NAMES),
            Map.entry("{new_jobs}", NEW_JOBS),
            Map.entry("{locked_endings}", LOCKED_ENDINGS),
            Map.entry("{locked_returns}", LOCKED_RETURNS),
            Map.entry("{attempts}", ATTEMPTS),
            Map.entry("{minutes}", MINUTES),
            Map.entry("{group_counts}", GROUP_COUNTS),
            Map.entry("{hour_sums}", HOUR_SUMS),
            Map.entry("{job_of_batch}", JOB_OF_BATCH),
            Map.entry("{job_of_locked}", JOB_OF_LOCKED),
            Map.entry("{job_of_key}", JOB_OF_KEY),
            Map.entry("{not_a_member}", Fragments.NOT_A_MEMBER.formatted("b")),
            Map.entry("{job_by_id}", "{job} FORCE INDEX (PRIMARY)"),
            Map.entry("{job_by_key}", "{job} FORCE INDEX (job_key)"),
            Map.entry("{job_by_due}", "{job} FORCE INDEX (job_due)"),
            Map.entry("{history_by_id}", "{history} FORCE INDEX (PRIMARY)"),
            Map.entry("{history_by_key}", "{history} FORCE INDEX (history_key)"),
            Map.entry("{history_by_end}", "{history} FORCE INDEX (history_end)"),
            Map.entry("{text}", "CHAR"),
            Map.entry("{smallint}", "SIGNED"),
            Map.entry("{no_text}", "NULL"),
            Map.entry("{no_time}", "NULL"));

    private JsonFragments() {}

    /**
     * @param collation collation that distinguishes every character, even blanks at the end
     * @param forUpdate clause that locks only the rows of {@code j}
     * @param forShare clause that keeps other transactions from changing the rows of {@code j}
     */
    static Map<String, String> of(String collation, String forUpdate, String forShare) {
        Map<String, String> parts = new LinkedHashMap<>(PARTS);
        parts.put("{for_update}", forUpdate);
        parts.put("{for_share}", forShare);
        parts.put("{characters}", "CHARACTER SET utf8mb4 COLLATE " + collation);
        return Fragments.with(parts);
    }
}
