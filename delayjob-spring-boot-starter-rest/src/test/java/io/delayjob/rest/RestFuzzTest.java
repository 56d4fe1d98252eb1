package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobEngine;
import io.delayjob.job.AnswerTicket;
import io.delayjob.spring.AnswerTickets;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * 10,000 requests put together at random, from valid and hostile parts. The answers are 2xx and 4xx only, and tell
 * nothing about the inside. A refused request changes no row of any table.
 */
class RestFuzzTest {

    private static final int CASES = 10_000;
    private static final long SEED = 20_261_123;
    private static final int TICKETS = 40;

    /** Few, so that requests with further queues are refused. */
    private static final int MAX_QUEUES = 4;

    private static final String TICKET_PATH = "/answers/{ticket}";

    private static final List<String> METHODS = List.of(
            "GET",
            "POST",
            "POST",
            "POST",
            "POST",
            "POST",
            "POST",
            "PUT",
            "PATCH",
            "PATCH",
            "DELETE",
            "DELETE",
            "HEAD",
            "OPTIONS",
            "TRACE",
            "PROPFIND");

    private static final List<String> PATHS = List.of(
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs/",
            "/jobs/%s",
            "/jobs/{id}",
            "/jobs/{id}",
            "/jobs/{id}",
            "/jobs/%s/retry",
            "/jobs/{id}/retry",
            "/jobs/{id}/retry",
            "/jobs/%s/retry/",
            "/jobs?name=%s",
            "/jobs?name=remind&key=%s",
            "/jobs?name=remind&key={key}",
            "/jobs?name=elsewhere&key={key}",
            "/jobs?name=elsewhere&state=%s&limit=%s&after=%s",
            "/jobs?name=elsewhere&group=%s",
            "/jobs?name=elsewhere&label=%s",
            "/groups?ended=%s&limit=%s",
            "/groups/%s",
            "/groups/import-1",
            "/groups/import-2/when-all-ended",
            "/groups/import-3/when-any-fails",
            "/groups/{new}/when-all-ended",
            "/groups/{new}/when-any-fails",
            "/groups/import-4/close",
            "/groups/%s/close",
            "/groups/%s/%s",
            "/answers/%s",
            TICKET_PATH,
            TICKET_PATH,
            "/openapi.json",
            "/%s",
            "/../v1/jobs",
            "/jobs/%s/..",
            "/jobs;x=%s",
            "//jobs",
            "");

    private static final List<String> HEADERS = List.of(
            "Idempotency-Key",
            "Content-Type",
            "Accept",
            "X-HTTP-Method-Override",
            "Origin",
            "Content-Encoding",
            "Cookie");

    /** Parts of paths and values of headers and fields. */
    private static final List<String> TEXTS = List.of(
            "remind",
            "elsewhere",
            "hidden",
            "import-1",
            "import-/..",
            "import-%2e",
            "when-all-ended",
            "*",
            "DELAYED",
            "FAILED",
            "5",
            "-1",
            "99999999999999999999",
            "PT1H",
            "-PT1S",
            "PT99999999999999H",
            "P1D",
            "2040-01-01T00:00:00Z",
            "+999999999-12-31T23:59:59.999999999Z",
            "every:PT1H",
            "cron:0 0 0 31 2 *@UTC",
            "growing:PT0.001S*1.0000001",
            "gaps:" + "PT1S,".repeat(300) + "PT1S",
            "every:P1M@Europe/Atlantis",
            "f81d4fae-7dec-41d0-a765-00a0c91e6bf6",
            "00000000-0000-0000-0000-000000000000",
            "1-1-1-1-1",
            "1~f81d4fae-7dec-41d0-a765-00a0c91e6bf6",
            "\"quoted\"",
            "application/json",
            "application/json;charset=utf-16",
            "application/xml",
            "text/html",
            "gzip",
            "' OR 1=1 --",
            "${jndi:ldap://x}",
            "#{T(java.lang.Runtime)}",
            "../../etc/passwd",
            "<script>",
            "null",
            "",
            " ",
            "x".repeat(300));

    /** As texts, but not for paths and headers. */
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "{}",
            "[]",
            "0",
            "-0.0",
            "1e400",
            "1e999999999",
            "9".repeat(150),
            "9".repeat(5_000),
            "[".repeat(500),
            "[".repeat(60) + "]".repeat(60),
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"a\\nb\"",
            "\"" + "y".repeat(2_000) + "\"",
            "\"" + "z".repeat(250_000) + "\"",
            "{\"orderId\":1}",
            "{\"orderId\":1}",
            "{\"@class\":\"java.lang.Runtime\"}",
            "{\"orderId\":{\"@type\":\"java.net.URL\"}}",
            "{\"url\":\"http://169.254.169.254/\"}",
            "[{\"name\":\"elsewhere\"},null]",
            "[{\"name\":\"remind\",\"always\":true}]",
            "[{\"name\":\"hidden\",\"arguments\":{\"@class\":\"java.lang.Runtime\"}}]",
            "[" + "{\"name\":\"elsewhere\"},".repeat(20) + "{\"name\":\"elsewhere\"}]");

    private static final List<String> FIELDS = List.of(
            "name",
            "name",
            "arguments",
            "arguments",
            "key",
            "ifExists",
            "after",
            "at",
            "repeat",
            "queue",
            "retry",
            "then",
            "then",
            "group",
            "group",
            "labels",
            "mutex",
            "expiresAfter",
            "url",
            "class",
            "script");

    private static final List<String> ANSWER_FIELDS =
            List.of("outcome", "outcome", "reason", "retriable", "within", "next", "result", "result", "name", "class");

    /** Fields of valid bodies, each with some of its valid values. */
    private static final Map<String, List<String>> VALID_FIELDS = Map.of(
            "after", List.of("\"PT1H\"", "\"P30D\""),
            "labels", List.of("[\"web\"]", "[\"customer:42\",\"web\"]", "[]"),
            "mutex", List.of("\"account-7\""),
            "expiresAfter", List.of("\"PT10M\""),
            "queue", List.of("\"mail\"", "\"default\""),
            "retry", List.of("\"none\"", "\"gaps:PT10S,PT1M\""));

    private final Random random = new Random(SEED);
    private final List<String> tickets = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private String lastUser;
    private String lastBody = "";

    @Test
    void fuzzedRequests_getHarmlessResponses_andRefusedOnesStoreNothing() {
        int[] statuses = new int[600];
        int created = 0;
        Map<String, Integer> changes = new TreeMap<>();
        try (ApiServer server = ApiServer.start(
                RestSecurityTest.OpenElsewhere.class,
                ApiServer.ANSWERS,
                "delayjob.max-queues=" + MAX_QUEUES,
                "delayjob.store=jdbc",
                "spring.datasource.url=jdbc:h2:mem:rest-fuzz")) {
            Rows rows = new Rows(server.context.getBean(JdbcTemplate.class));
            // Its agents would change rows, too: they let groups end.
            server.context.getBean(DelayJobEngine.class).stop();
            prepare(server);
            long before = rows.jobs();
            Map<String, String> known = rows.digests();
            for (int i = 0; i < CASES; i++) {
                ApiServer.Answer answer = server.send(request(server));
                String sent = answer.response().request().method() + " "
                        + answer.response().request().uri();
                statuses[answer.status()]++;
                assertThat(answer.status() / 100)
                        .as("%s: %s", sent, answer.text())
                        .isIn(2, 4);
                assertThat(answer.text())
                        .as(sent)
                        .doesNotContain("\tat ", "io.delayjob.", "org.springframework", "tools.jackson", "java.util");
                if (answer.status() < 300) {
                    assertThat(lastUser)
                            .as("only caller with an authority: %s %s", sent, answer.text())
                            .isEqualTo("all");
                }
                Map<String, String> now = rows.digests();
                if (answer.status() >= 400) {
                    assertThat(now)
                            .as("rows after %s %s: %s", sent, lastBody, answer.text())
                            .isEqualTo(known);
                }
                if (answer.status() == 201) {
                    created++;
                    ids.add(answer.text("id"));
                }
                if (answer.status() == 200 && !now.equals(known)) {
                    changes.merge(answer.response().request().method(), 1, Integer::sum);
                }
                known = now;
            }
            assertThat(rows.jobs() - before).as("new jobs").isEqualTo(created);
        }
        assertThat(changes)
                .as("some cases change rows that exist")
                .hasEntrySatisfying("PATCH", many -> assertThat(many).isGreaterThan(10))
                .hasEntrySatisfying("DELETE", many -> assertThat(many).isGreaterThan(10));
        assertThat(created).as("some cases are valid").isGreaterThan(50);
        assertThat(IntStream.of(200, 201, 400, 401, 403, 404, 405, 406, 409, 413, 415, 422))
                .as("the cases reach each of these statuses")
                .allMatch(status -> statuses[status] > 0);
    }

    /** Lets jobs await answers. */
    private void prepare(ApiServer server) {
        AnswerTickets writer = server.context.getBean(AnswerTickets.class);
        for (int i = 0; i < TICKETS; i++) {
            AnswerTicket ticket = RestAnswersTest.awaiting(server);
            tickets.add(writer.write(ticket));
            ids.add(ticket.job().toString());
        }
    }

    /** The rows of all tables that requests may write. */
    private static final class Rows {

        private static final String TABLES = """
                SELECT table_name FROM information_schema.tables
                WHERE table_name LIKE 'DELAYJOB~_%' ESCAPE '~' AND table_name <> 'DELAYJOB_MINUTE'
                """;

        private static final String COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_name = ?";

        private final JdbcTemplate jdbc;
        private final Map<String, String> digests = new TreeMap<>();

        Rows(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            for (String table : jdbc.queryForList(TABLES, String.class)) {
                String columns = String.join(", ", jdbc.queryForList(COLUMNS, String.class, table));
                digests.put(
                        table,
                        "SELECT COUNT(*) || ':' || COALESCE(SUM(ORA_HASH(CONCAT_WS('|', %s))), 0) FROM %s"
                                .formatted(columns, table));
            }
            assertThat(digests).containsKeys("DELAYJOB_JOB", "DELAYJOB_HISTORY", "DELAYJOB_GROUP", "DELAYJOB_QUEUE");
        }

        /** Returns a text for each table that changes with any value of any row. */
        Map<String, String> digests() {
            Map<String, String> now = new TreeMap<>();
            digests.forEach((table, digest) -> now.put(table, jdbc.queryForObject(digest, String.class)));
            return now;
        }

        long jobs() {
            return jdbc.queryForObject(
                    "SELECT (SELECT COUNT(*) FROM delayjob_job) + (SELECT COUNT(*) FROM delayjob_history)", Long.class);
        }
    }

    private HttpRequest.Builder request(ApiServer server) {
        String template = pick(PATHS);
        String path = template;
        while (path.contains("%s")) {
            path = path.replaceFirst("%s", Matcher.quoteReplacement(escaped(pick(TEXTS))));
        }
        path = path.replace("{ticket}", ticket())
                .replace("{new}", group())
                .replace("{id}", pick(ids))
                .replace("{key}", String.valueOf(random.nextInt(5)));
        lastUser = user();
        HttpRequest.Builder request = server.request(lastUser, "/delayjob/v1" + path);
        String method = pick(METHODS);
        boolean waits = path.contains("/when-a");
        boolean answers = template.equals(TICKET_PATH);
        boolean valid = method.equals("POST") && (waits || answers || path.equals("/jobs")) && random.nextInt(3) > 0;
        if (template.startsWith("/jobs/{id}") && random.nextInt(3) > 0) {
            lastBody = "{\"after\":\"PT%dM\"}".formatted(1 + random.nextInt(600));
        } else if (valid) {
            lastBody = answers ? validAnswer() : validBody(waits);
        } else {
            lastBody = random.nextInt(4) == 0 ? "" : body(answers ? ANSWER_FIELDS : FIELDS);
        }
        request.method(method, HttpRequest.BodyPublishers.ofString(lastBody));
        request.header("Content-Type", random.nextInt(10) > 0 ? "application/json" : "text/plain");
        for (int i = random.nextInt(3); i > 0; i--) {
            String header = pick(HEADERS);
            request.header(header, pick(TEXTS).replaceAll("[^\\x20-\\x7e]", "?"));
        }
        if (valid && random.nextInt(3) == 0) {
            request.header("Idempotency-Key", ids.isEmpty() || random.nextBoolean() ? uuid() : pick(ids));
        }
        return request;
    }

    private String uuid() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    /** Returns the name of a group that probably does not exist yet. */
    private String group() {
        return "import-" + random.nextInt(random.nextInt(4) == 0 ? 10 : 5_000);
    }

    /** Returns a ticket that is valid, or looks so. */
    private String ticket() {
        StringBuilder ticket = new StringBuilder(pick(tickets));
        if (random.nextInt(4) == 0) {
            ticket.setCharAt(random.nextInt(ticket.length()), (char) ('a' + random.nextInt(26)));
        }
        return ticket.toString();
    }

    private String user() {
        return switch (random.nextInt(8)) {
            case 0 -> null;
            case 1 -> "stranger";
            case 2 -> "nobody";
            default -> "all";
        };
    }

    /** Returns a body that is valid, or would be without one of its fields. */
    private String validBody(boolean waits) {
        Map<String, String> fields = new TreeMap<>();
        if (random.nextBoolean()) {
            fields.put("name", "\"remind\"");
            fields.put("arguments", "{\"orderId\":%d}".formatted(random.nextInt()));
        } else {
            fields.put("name", "\"elsewhere\"");
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            String field = pick(List.copyOf(new TreeSet<>(VALID_FIELDS.keySet())));
            if (!waits || !field.equals("after")) {
                fields.put(field, pick(VALID_FIELDS.get(field)));
            }
        }
        if (!waits) {
            memberOrChain(fields);
        }
        if (random.nextInt(3) == 0) {
            fields.put(pick(FIELDS), value());
        }
        return object(fields);
    }

    private void memberOrChain(Map<String, String> fields) {
        if (random.nextBoolean()) {
            fields.put("group", '"' + group() + '"');
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                fields.put("key", "\"%d\"".formatted(random.nextInt(5)));
                fields.put("ifExists", pick(List.of("\"FAIL\"", "\"KEEP\"", "\"REPLACE\"", "\"POSTPONE\"")));
            }
            case 1 -> {
                String next = "{\"name\":\"elsewhere\",\"arguments\":{\"a\":\"%s\"}}"
                        .formatted("z".repeat(random.nextInt(900)));
                // Up to one more than a chain may have. Many are too long for the row of the first job.
                fields.put("then", "[" + String.join(",", Collections.nCopies(1 + random.nextInt(21), next)) + "]");
            }
            default -> {}
        }
    }

    private String validAnswer() {
        Map<String, String> fields = new TreeMap<>();
        switch (random.nextInt(8)) {
            case 0 -> fields.put("outcome", "\"done\"");
            case 1 -> fields.putAll(Map.of("outcome", "\"failed\"", "reason", "\"no van\""));
            default -> fields.putAll(Map.of("outcome", "\"working\"", "within", "\"PT1H\""));
        }
        if (random.nextBoolean()) {
            fields.put(pick(ANSWER_FIELDS), value());
        }
        return object(fields);
    }

    private static String object(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> "\"%s\":%s".formatted(field.getKey(), field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private String body(List<String> fields) {
        StringBuilder body = new StringBuilder("{");
        for (int i = random.nextInt(5); i >= 0; i--) {
            body.append('"').append(pick(fields)).append("\":").append(value()).append(i == 0 ? "" : ",");
        }
        body.append("}");
        if (random.nextInt(10) == 0) {
            body.insert(random.nextInt(body.length()), (char) random.nextInt(0xD800));
        }
        if (random.nextInt(20) == 0) {
            body.setLength(random.nextInt(body.length()));
        }
        return body.toString();
    }

    private String value() {
        return random.nextBoolean() ? pick(VALUES) : '"' + pick(TEXTS).replace("\"", "\\\"") + '"';
    }

    private <T> T pick(List<T> parts) {
        return parts.get(random.nextInt(parts.size()));
    }

    /** Some parts stay as they are where a URI allows it. */
    private String escaped(String text) {
        String escaped = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        if (random.nextInt(4) == 0) {
            try {
                URI.create("http://localhost/" + text);
                return text;
            } catch (IllegalArgumentException notInAUri) {
                return escaped;
            }
        }
        return escaped;
    }
}
