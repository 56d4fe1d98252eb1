package io.delayjob.internal.jdbc.dialect;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Parts of statements for databases with arrays. A batch is sent as one array for each column, and {@code UNNEST} turns
 * the arrays into rows. So one statement and one plan serve batches of any size.
 */
final class ArrayFragments {

    private static final String IDS = "UNNEST(CAST(:id AS UUID ARRAY)) AS u(id)";

    private static final String LOCKED = "UNNEST(CAST(:locked AS UUID ARRAY)) AS l(id)";

    private static final String NEW_JOBS = """
            UNNEST(
                CAST(:id AS UUID ARRAY),
                CAST(:partition AS INTEGER ARRAY),
                CAST(:name AS CHARACTER VARYING ARRAY),
                CAST(:key AS CHARACTER VARYING ARRAY),
                CAST(:payload AS CHARACTER VARYING ARRAY),
                CAST(:schedule AS CHARACTER VARYING ARRAY),
                CAST(:retry AS CHARACTER VARYING ARRAY),
                CAST(:trace AS CHARACTER VARYING ARRAY),
                CAST(:extras AS CHARACTER VARYING ARRAY),
                CAST(:token AS BIGINT ARRAY),
                CAST(:scheduledAt AS BIGINT ARRAY),
                CAST(:plannedAt AS BIGINT ARRAY),
                CAST(:dueAt AS BIGINT ARRAY)
            ) AS n(id, partition_id, name, job_key, payload, schedule, retry, trace, extras, token,
                   scheduled_at, planned_at, due_at)""";

    private static final String ENDINGS = """
            UNNEST(
                CAST(:id AS UUID ARRAY),
                CAST(:token AS BIGINT ARRAY),
                CAST(:freshToken AS BIGINT ARRAY),
                CAST(:state AS SMALLINT ARRAY),
                CAST(:run AS INTEGER ARRAY),
                CAST(:plannedAt AS BIGINT ARRAY),
                CAST(:calledAt AS BIGINT ARRAY),
                CAST(:endedAt AS BIGINT ARRAY),
                CAST(:doubt AS INTEGER ARRAY),
                CAST(:failureType AS CHARACTER VARYING ARRAY),
                CAST(:failureMessage AS CHARACTER VARYING ARRAY),
                CAST(:failureTrace AS CHARACTER VARYING ARRAY),
                CAST(:extras AS CHARACTER VARYING ARRAY),
                CAST(:keep AS BOOLEAN ARRAY),
                CAST(:keepSeconds AS INTEGER ARRAY)
            ) AS e(id, token, fresh_token, state, run, planned_at, called_at, ended_at, doubt,
                   failure_type, failure_message, failure_trace, extras, keep, keep_seconds)""";

    /** Leaves out a job if its new state is failed and its cancellation was requested. */
    private static final String ENDED_JOBS = ENDINGS + """

            JOIN {job} j ON j.id = e.id AND j.token = e.token AND NOT (e.state = {failed} AND j.cancel_requested)""";

    private static final String RETURNS = """
            UNNEST(
                CAST(:id AS UUID ARRAY),
                CAST(:token AS BIGINT ARRAY),
                CAST(:freshToken AS BIGINT ARRAY),
                CAST(:run AS INTEGER ARRAY),
                CAST(:newRun AS BOOLEAN ARRAY),
                CAST(:plannedAt AS BIGINT ARRAY),
                CAST(:dueAt AS BIGINT ARRAY),
                CAST(:failures AS INTEGER ARRAY),
                CAST(:awaiting AS BOOLEAN ARRAY),
                CAST(:doubt AS INTEGER ARRAY),
                CAST(:extras AS CHARACTER VARYING ARRAY)
            ) AS r(id, token, fresh_token, run, new_run, planned_at, due_at, failures, awaiting, doubt, extras)""";

    private static final String MOVES =
            "UNNEST(CAST(:id AS UUID ARRAY), CAST(:dueAt AS BIGINT ARRAY)) AS m(id, due_at)";

    private static final String TOKENS =
            "UNNEST(CAST(:id AS UUID ARRAY), CAST(:token AS BIGINT ARRAY)) AS u(id, token)";

    private static final String KEYS =
            "UNNEST(CAST(:name AS CHARACTER VARYING ARRAY), CAST(:key AS CHARACTER VARYING ARRAY)) AS k(name, job_key)";

    private static final String ATTEMPTS = """
            UNNEST(
                CAST(:id AS UUID ARRAY),
                CAST(:run AS INTEGER ARRAY),
                CAST(:attempt AS INTEGER ARRAY),
                CAST(:outcome AS CHARACTER VARYING ARRAY),
                CAST(:owner AS BIGINT ARRAY),
                CAST(:dueAt AS BIGINT ARRAY),
                CAST(:startedAt AS BIGINT ARRAY),
                CAST(:calledAt AS BIGINT ARRAY),
                CAST(:endedAt AS BIGINT ARRAY),
                CAST(:failureType AS CHARACTER VARYING ARRAY),
                CAST(:failureMessage AS CHARACTER VARYING ARRAY),
                CAST(:failureTrace AS CHARACTER VARYING ARRAY)
            ) AS a(job_id, run, attempt, outcome, owner, due_at, started_at, called_at, ended_at,
                   failure_type, failure_message, failure_trace)""";

    private static final String MINUTES = """
            UNNEST(
                CAST(:minuteAt AS BIGINT ARRAY),
                CAST(:name AS CHARACTER VARYING ARRAY),
                CAST(:starts AS BIGINT ARRAY),
                CAST(:succeeded AS BIGINT ARRAY),
                CAST(:retried AS BIGINT ARRAY),
                CAST(:failed AS BIGINT ARRAY),
                CAST(:runMicros AS BIGINT ARRAY),
                %s
            ) AS b(minute_at, name, %s)""".formatted(
                    StatisticsSql.LATE.stream()
                            .map(letter -> "CAST(:late%s AS BIGINT ARRAY)".formatted(letter.toUpperCase(Locale.ROOT)))
                            .collect(Collectors.joining(", ")),
                    StatisticsSql.NUMBERS);

    private static final String GROUP_COUNTS = """
            UNNEST(
                CAST(:id AS UUID ARRAY),
                CAST(:begun AS BIGINT ARRAY),
                CAST(:finished AS BIGINT ARRAY),
                CAST(:failed AS BIGINT ARRAY),
                CAST(:cancelled AS BIGINT ARRAY)
            ) AS c(group_id, begun, finished, failed, cancelled)""";

    private static final String HOUR_SUMS = """
            UNNEST(CAST(:hourAt AS BIGINT ARRAY)) AS h(hour_at)
            JOIN {minute} m ON m.minute_at = h.hour_at AND m.owner = 0""";

    static final Map<String, String> ALL = Fragments.with(Map.ofEntries(
            Map.entry("{ids}", IDS),
            Map.entry("{new_jobs}", NEW_JOBS),
            Map.entry("{endings}", ENDINGS),
            Map.entry("{ended_jobs}", ENDED_JOBS),
            Map.entry("{returns}", RETURNS),
            Map.entry("{tokens}", TOKENS),
            Map.entry("{locked}", LOCKED),
            Map.entry("{locked_ended_jobs}", ofLocked(ENDED_JOBS)),
            Map.entry("{locked_returns}", ofLocked(RETURNS)),
            Map.entry("{locked_tokens}", ofLocked(TOKENS)),
            Map.entry("{moves}", MOVES),
            Map.entry("{keys}", KEYS),
            Map.entry("{attempts}", ATTEMPTS),
            Map.entry("{minutes}", MINUTES),
            Map.entry("{group_counts}", GROUP_COUNTS),
            Map.entry("{hour_sums}", HOUR_SUMS),
            Map.entry("{not_a_member}", Fragments.NOT_A_MEMBER.formatted("n")),
            Map.entry("{job_by_id}", "{job}"),
            Map.entry("{job_by_key}", "{job}"),
            Map.entry("{job_by_due}", "{job}"),
            Map.entry("{history_by_id}", "{history}"),
            Map.entry("{history_by_key}", "{history}"),
            Map.entry("{history_by_end}", "{history}"),
            Map.entry("{text}", "CHARACTER VARYING"),
            Map.entry("{smallint}", "SMALLINT"),
            Map.entry("{no_text}", "CAST(NULL AS CHARACTER VARYING)"),
            Map.entry("{no_time}", "CAST(NULL AS BIGINT)")));

    private ArrayFragments() {}

    /** Returns the part that reads only the locked rows of the batch. */
    private static String ofLocked(String batch) {
        return batch.replaceAll("\\(:([A-Za-z]+) AS", "(:$1OfLocked AS");
    }
}
