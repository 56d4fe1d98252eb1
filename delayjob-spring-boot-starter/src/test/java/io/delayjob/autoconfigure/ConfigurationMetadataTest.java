package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an editor shows beside a property: each key is there, says what it does, and what it is by default. */
class ConfigurationMetadataTest {

    private static final Set<String> WITHOUT_DEFAULT = Set.of(
            "delayjob.answers.previous-secret",
            "delayjob.answers.secret",
            "delayjob.answers.url",
            "delayjob.instance-id",
            "delayjob.jdbc.dialect",
            "delayjob.jdbc.platform",
            "delayjob.payload.max-read-size",
            "delayjob.jdbc.in-other-transaction",
            "delayjob.queues",
            "delayjob.redis.slots",
            "delayjob.stores",
            "delayjob.targets",
            "delayjob.timeout",
            "delayjob.endpoint.operator-roles",
            "delayjob.endpoint.roles");

    private static List<JsonNode> properties() throws Exception {
        try (InputStream metadata =
                DelayJobProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            JsonNode properties =
                    JsonMapper.builder().build().readTree(metadata).get("properties");
            // Those of Spring Boot's own for an endpoint are its business.
            return StreamSupport.stream(properties.spliterator(), false)
                    .filter(property -> property.get("name").asString().startsWith("delayjob."))
                    .toList();
        }
    }

    @Test
    void everyKey_isThere() throws Exception {
        Set<String> names = new TreeSet<>();
        properties().forEach(property -> names.add(property.get("name").asString()));
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "delayjob.answers.insecure",
                        "delayjob.answers.previous-secret",
                        "delayjob.answers.secret",
                        "delayjob.answers.url",
                        "delayjob.attempts.mode",
                        "delayjob.claim-lead",
                        "delayjob.enabled",
                        "delayjob.endpoint.operator-roles",
                        "delayjob.endpoint.roles",
                        "delayjob.endpoint.show-payloads",
                        "delayjob.heartbeat",
                        "delayjob.history.cancelled",
                        "delayjob.history.failed",
                        "delayjob.history.finished",
                        "delayjob.instance-id",
                        "delayjob.interrupt-grace",
                        "delayjob.jdbc.dialect",
                        "delayjob.jdbc.in-other-transaction",
                        "delayjob.jdbc.initialize-schema",
                        "delayjob.jdbc.platform",
                        "delayjob.jdbc.require-transaction",
                        "delayjob.jdbc.schema",
                        "delayjob.jdbc.table-prefix",
                        "delayjob.lease.duration",
                        "delayjob.lease.provider",
                        "delayjob.liveness",
                        "delayjob.max-queues",
                        "delayjob.partitions",
                        "delayjob.max-snooze",
                        "delayjob.payload.max-read-size",
                        "delayjob.payload.max-size",
                        "delayjob.preload.batch-size",
                        "delayjob.preload.window",
                        "delayjob.queues",
                        "delayjob.redis.in-transaction",
                        "delayjob.redis.namespace",
                        "delayjob.redis.slots",
                        "delayjob.redis.wait-replicas",
                        "delayjob.retry.delay",
                        "delayjob.retry.jitter",
                        "delayjob.retry.max-delay",
                        "delayjob.retry.max-retries",
                        "delayjob.retry.multiplier",
                        "delayjob.shutdown.await",
                        "delayjob.statistics.retention",
                        "delayjob.store",
                        "delayjob.sweep.adopt-after",
                        "delayjob.sweep.grace",
                        "delayjob.sweep.interval",
                        "delayjob.stores",
                        "delayjob.targets",
                        "delayjob.timeout",
                        "delayjob.unreadable-payload-after",
                        "delayjob.wheel.max-jobs",
                        "delayjob.wheel.tick",
                        "delayjob.worker.enabled");
    }

    @Test
    void everyKey_isKnownToTheWarningOfUnknownOnes() throws Exception {
        assertThat(UnknownSettings.KEYS)
                .containsExactlyInAnyOrderElementsOf(properties().stream()
                        .map(property -> property.get("name").asString())
                        .filter(name -> !Set.of("delayjob.queues", "delayjob.stores", "delayjob.targets")
                                .contains(name))
                        .toList());
    }

    /** The page in docs names the same keys: a cell such as {@code `retry.delay`, `.jitter`} names two. */
    @Test
    void everyKey_isDocumented_andNoOther() throws Exception {
        Set<String> documented = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../docs/configuration.md"))) {
            if (line.startsWith("| `")) {
                String cell = line.substring(1, line.indexOf('|', 1));
                String first = "";
                for (Matcher key = Pattern.compile("`([^`]+)`").matcher(cell); key.find(); ) {
                    first = key.group(1).startsWith(".")
                            ? first.substring(0, first.lastIndexOf('.')) + key.group(1)
                            : key.group(1);
                    documented.add("delayjob." + first.replaceFirst("[.]<name>.*", ""));
                }
            }
        }
        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(properties().stream()
                        .map(property -> property.get("name").asString())
                        .toList());
    }

    @Test
    void everyKey_saysWhatItDoes() throws Exception {
        assertThat(properties())
                .allSatisfy(property -> assertThat(property.path("description").asString(""))
                        .as(property.get("name").asString())
                        .matches("(?s)[A-Z].{15,}\\."));
    }

    @Test
    void everyKey_saysItsDefault() throws Exception {
        assertThat(properties()).allSatisfy(property -> {
            String name = property.get("name").asString();
            assertThat(property.has("defaultValue")).as(name).isEqualTo(!WITHOUT_DEFAULT.contains(name));
        });
    }
}
