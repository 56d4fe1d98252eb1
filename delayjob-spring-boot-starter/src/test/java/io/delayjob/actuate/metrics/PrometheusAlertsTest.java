package io.delayjob.actuate.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * The alerts for Prometheus. Their own tests run in promtool, of Debian's package prometheus; {@code
 * DELAYJOB_TEST_PROMTOOL} names another. Where it is absent, they are skipped; with {@code
 * DELAYJOB_TEST_REQUIRE_PROMTOOL=true} they fail.
 */
class PrometheusAlertsTest {

    private static final String RULES = "prometheus-alerts.yaml";

    private static final String TESTS = "prometheus-alerts-test.yaml";

    private static final Path DOCS = Path.of("../docs");

    static List<Map<String, Object>> alerts() throws IOException {
        return entries(list(read(RULES), "groups"), "rules");
    }

    @Test
    void alert_says_howUrgentItIs_whatIsWrong_andWhatToDo() throws IOException {
        assertThat(alerts()).isNotEmpty().allSatisfy(alert -> {
            assertThat(map(alert, "labels").get("severity")).isIn("critical", "warning", "info");
            assertThat(map(alert, "annotations")).containsOnlyKeys("summary", "description");
        });
    }

    @Test
    void alert_isTestedFiring() throws IOException {
        Set<String> fired = new TreeSet<>();
        for (Map<String, Object> test : entries(list(read(TESTS), "tests"), "alert_rule_test")) {
            if (!list(test, "exp_alerts").isEmpty()) {
                fired.add(test.get("alertname").toString());
            }
        }
        Set<String> alerts = new TreeSet<>();
        alerts().forEach(alert -> alerts.add(alert.get("alert").toString()));
        assertThat(fired).isEqualTo(alerts);
    }

    @Test
    void alerts_passTheirTests() throws Exception {
        Process promtool = new ProcessBuilder(promtool(), "test", "rules", TESTS)
                .directory(DOCS.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(output).isZero();
    }

    private static String promtool() {
        List<String> paths = new ArrayList<>();
        String named = System.getenv("DELAYJOB_TEST_PROMTOOL");
        paths.add(named == null ? "/usr/bin/promtool" : named);
        paths.add("/usr/local/bin/promtool");
        for (String path : paths) {
            if (new File(path).canExecute()) {
                return path;
            }
        }
        String word =
                "%s is not there: install Debian's prometheus, or name it in DELAYJOB_TEST_PROMTOOL".formatted(paths);
        Assumptions.assumeTrue(Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_PROMTOOL")), word);
        return fail(word);
    }

    private static Map<String, Object> read(String file) throws IOException {
        try (InputStream text = Files.newInputStream(DOCS.resolve(file))) {
            return new Yaml().load(text);
        }
    }

    private static List<Map<String, Object>> entries(List<Map<String, Object>> groups, String name) {
        return groups.stream().flatMap(group -> list(group, name).stream()).toList();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> of, String name) {
        return (List<Map<String, Object>>) of.get(name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> of, String name) {
        return (Map<String, Object>) of.get(name);
    }
}
