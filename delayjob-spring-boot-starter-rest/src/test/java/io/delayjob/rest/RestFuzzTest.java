package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.store.JobQuery;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * 10,000 requests put together at random, from valid and hostile parts. The answers are 2xx and 4xx only, tell nothing
 * about the inside, and a refused request stores nothing.
 */
class RestFuzzTest {

    private static final int CASES = 10_000;
    private static final long SEED = 20_261_123;

    private static final List<String> METHODS =
            List.of("GET", "POST", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND");

    private static final List<String> PATHS = List.of(
            "/jobs",
            "/jobs",
            "/jobs",
            "/jobs/",
            "/jobs/%s",
            "/jobs/%s/retry",
            "/jobs/%s/retry/",
            "/jobs?name=%s",
            "/jobs?name=remind&key=%s",
            "/jobs?name=elsewhere&state=%s&limit=%s&after=%s",
            "/jobs?name=elsewhere&group=%s",
            "/groups?ended=%s&limit=%s",
            "/groups/%s",
            "/groups/import-1",
            "/groups/import-2/when-all-ended",
            "/groups/import-3/when-any-fails",
            "/groups/import-4/close",
            "/groups/%s/close",
            "/groups/%s/%s",
            "/answers/%s",
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
            "url",
            "class",
            "script");

    private final Random random = new Random(SEED);

    @Test
    void fuzzedRequests_getHarmlessResponses_andRefusedOnesStoreNothing() {
        AtomicInteger created = new AtomicInteger();
        int[] statuses = new int[600];
        try (ApiServer server =
                ApiServer.start(RestSecurityTest.OpenElsewhere.class, ApiServer.ANSWERS, "delayjob.max-queues=1000")) {
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
                if (answer.status() == 201) {
                    created.incrementAndGet();
                }
            }
            assertThat(allJobs(server)).isEqualTo(created.get());
        }
        assertThat(created.get()).as("some cases are valid").isGreaterThan(50);
        assertThat(IntStream.of(200, 201, 400, 401, 403, 404, 405, 413, 415, 422))
                .as("the cases reach each of these statuses")
                .allMatch(status -> statuses[status] > 0);
    }

    /** Counts the jobs, without those that the end of a group or a failure in it has written. */
    private static long allJobs(ApiServer server) {
        return server.context.getBean(DelayJobOperations.class).stream(JobQuery.all())
                .filter(job -> job.extras().followsGroup() == null)
                .count();
    }

    private HttpRequest.Builder request(ApiServer server) {
        String path = pick(PATHS);
        while (path.contains("%s")) {
            path = path.replaceFirst("%s", Matcher.quoteReplacement(escaped(pick(TEXTS))));
        }
        HttpRequest.Builder request = server.request(user(), "/delayjob/v1" + path);
        String method = pick(METHODS);
        boolean waits = path.contains("/when-a");
        boolean valid = method.equals("POST") && (waits || path.equals("/jobs")) && random.nextInt(3) == 0;
        String validBody = waits ? "{\"name\":\"elsewhere\"}" : validBody();
        request.method(method, valid ? text(validBody) : random.nextInt(4) == 0 ? noBody() : text(body()));
        request.header("Content-Type", random.nextInt(10) > 0 ? "application/json" : "text/plain");
        for (int i = random.nextInt(3); i > 0; i--) {
            String header = pick(HEADERS);
            String value = pick(TEXTS).replaceAll("[^\\x20-\\x7e]", "?");
            if (valid && !header.equals("Origin") && !header.equals("Cookie")) {
                continue;
            }
            request.header(header, value);
        }
        return request;
    }

    private String user() {
        return switch (random.nextInt(8)) {
            case 0 -> null;
            case 1 -> "stranger";
            case 2 -> "nobody";
            default -> "all";
        };
    }

    private String validBody() {
        return switch (random.nextInt(4)) {
            case 0 ->
                "{\"name\":\"remind\",\"arguments\":{\"orderId\":%d},\"after\":\"PT1H\"}".formatted(random.nextInt());
            case 1 ->
                "{\"name\":\"elsewhere\",\"key\":\"%d\",\"at\":\"2040-01-01T00:00:00Z\"}".formatted(random.nextInt());
            case 2 -> "{\"name\":\"elsewhere\",\"group\":\"import-%d\"}".formatted(random.nextInt(5));
            default ->
                "{\"name\":\"elsewhere\",\"then\":[{\"name\":\"elsewhere\",\"arguments\":{\"a\":%d}}]}"
                        .formatted(random.nextInt());
        };
    }

    private String body() {
        StringBuilder body = new StringBuilder("{");
        for (int i = random.nextInt(5); i >= 0; i--) {
            body.append('"').append(pick(FIELDS)).append("\":").append(value()).append(i == 0 ? "" : ",");
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

    private static HttpRequest.BodyPublisher text(String body) {
        return HttpRequest.BodyPublishers.ofString(body);
    }

    private static HttpRequest.BodyPublisher noBody() {
        return HttpRequest.BodyPublishers.noBody();
    }
}
