package io.delayjob.benchmarks.durable;

import java.util.List;

/**
 * Fills tables as if an application had been busy for weeks. Waiting jobs are due within 30 days, and other jobs ended
 * within the last 7 days.
 */
final class ManyRows {

    /** Most jobs belong to the first handlers. */
    static final List<String> NAMES = List.of(
            "send-webhook",
            "cancel-unpaid-order",
            "remind-customer",
            "poll-tracking",
            "expire-cart",
            "send-mail",
            "nightly-report");

    private static final int PARTITIONS = 8;

    private static final int IN_ONE_STATEMENT = 1_000_000;

    private final BenchmarkDatabase database;

    ManyRows(BenchmarkDatabase database) {
        this.database = database;
    }

    /** Does not change tables that already contain such rows. */
    void fill(int waiting, int ended) {
        if (database.answers("SELECT 1 FROM delayjob_minute LIMIT 1")) {
            return;
        }
        database.run("INSERT INTO delayjob_queue (name) VALUES ('default'), ('hooks') ON CONFLICT DO NOTHING");
        for (int from = 0; from < waiting; from += IN_ONE_STATEMENT) {
            database.run(
                    WAITING.formatted(NAMES_ARRAY, PARTITIONS, from + 1, Math.min(waiting, from + IN_ONE_STATEMENT)));
        }
        for (int from = 0; from < ended; from += IN_ONE_STATEMENT) {
            database.run(ENDED.formatted(
                    NAMES_ARRAY, PARTITIONS, from + 1, Math.min(ended, from + IN_ONE_STATEMENT), ended));
        }
        database.run(MINUTES.formatted(NAMES_ARRAY));
        database.vacuum();
    }

    private static final String NAMES_ARRAY = "ARRAY['" + String.join("', '", NAMES) + "']";

    /** Because of the square root, the last names in the list have few jobs. */
    private static final String NAME = "(%1$s)[1 + FLOOR(7 * (1 - SQRT(random())))::INTEGER]";

    private static final String WAITING = """
            INSERT INTO delayjob_job (id, partition_id, state, awaiting, token, due_at, planned_at, scheduled_at, name, job_key,
                payload)
            SELECT (LPAD(TO_HEX(made), 12, '0') || '7' || SUBSTR(noise, 1, 3) || '8' || SUBSTR(noise, 4, 15))::UUID,
                (1 + (i %% 2)) * 1024 + (i / 2) %% %2$d, 0, i %% 20000 = 77, (random() * 1e18)::BIGINT, due, due, made,
                """ + NAME + """
            , CASE WHEN i %% 4 = 0 THEN 'order-' || i END, '{"order":' || i || ',"url":"https://shop.example/hooks/' || noise || '"}'
            FROM generate_series(%3$d, %4$d) i,
                (SELECT (EXTRACT(EPOCH FROM now()) * 1000)::BIGINT AS now) n,
                LATERAL (SELECT n.now - (random() * 604800000)::BIGINT AS made,
                    n.now - 60000 + (random() * 2592000000)::BIGINT AS due, MD5(random()::TEXT || i) AS noise) d
            """;

    private static final String ENDED = """
            INSERT INTO delayjob_history (id, partition_id, state, cancel_requested, token, due_at, planned_at, scheduled_at,
                started_at, called_at, ended_at, run, attempt, failures, rescues, in_doubt, name, job_key, payload,
                failure_type, failure_message, failure_trace)
            SELECT (LPAD(TO_HEX(ended - 3600000), 12, '0') || '7' || SUBSTR(noise, 1, 3) || '8' || SUBSTR(noise, 4, 15))::UUID,
                (1 + (i %% 2)) * 1024 + (i / 2) %% %2$d, CASE WHEN failed THEN 3 WHEN i %% 50 = 0 THEN 4 ELSE 2 END, FALSE, 7,
                ended - 100, ended - 100, ended - 3600000, ended - 98, ended - 97, ended, 1, 1, 0, 0, 0,
                """ + NAME + """
            , CASE WHEN i %% 4 = 0 THEN 'old-' || i END, CASE WHEN failed THEN '{"order":1}' END,
                CASE WHEN failed THEN (ARRAY['java.net.SocketTimeoutException', 'java.lang.IllegalStateException',
                    'org.springframework.web.client.HttpServerErrorException$BadGateway'])[1 + i %% 3] END,
                CASE WHEN failed THEN 'Read timed out' END, CASE WHEN failed THEN repeat('at shop.Webhooks.send(Webhooks.java:42)', 40) END
            FROM generate_series(%3$d, %4$d) i,
                (SELECT (EXTRACT(EPOCH FROM now()) * 1000)::BIGINT AS now) n,
                LATERAL (SELECT n.now - 604800000 + 604800000::BIGINT * i / %5$d AS ended, MD5(random()::TEXT || i) AS noise,
                    i %% 1000 = 7 AS failed) d
            """;

    private static final String MINUTES = """
            INSERT INTO delayjob_minute
            SELECT minute * 60000, owner, name, 600, 598, 1, 1, 600 * 12345, 100, 200, 200, 50, 20, 10, 10, 5, 3, 1, 1, 0, 0, 0
            FROM (SELECT (EXTRACT(EPOCH FROM now()) / 60)::BIGINT AS now) n, generate_series(n.now - 10080, n.now - 1) minute,
                generate_series(1, 4) owner, UNNEST(%1$s) name
            """;
}
