package io.delayjob.actuate.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the page for operators and their dashboard name is there, under these names, and nothing else is. */
class DocumentedMetersTest {

    /** Labels that Prometheus gives, and tags that applications state. */
    private static final Set<String> LABELS_OF_OTHERS = Set.of("instance", "application");

    /** What Prometheus puts behind a meter's name. */
    private static final String OF_PROMETHEUS = "(_seconds)?(_total|_count|_sum|_bucket|_max)?";

    private static final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private static String scraped;

    /** Has everything happen that is measured. */
    @BeforeAll
    static void live() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DelayJobAutoConfiguration.class,
                        DelayJobMemoryAutoConfiguration.class,
                        DelayJobThreadsAutoConfiguration.class,
                        DelayJobMetricsAutoConfiguration.class,
                        DelayJobObservationAutoConfiguration.class))
                .withUserConfiguration(Flaky.class)
                .withBean(MeterRegistry.class, () -> registry)
                .withBean(ObservationRegistry.class, DocumentedMetersTest::observations)
                .withPropertyValues("delayjob.store=memory")
                .run(context -> {
                    context.getBeansOfType(MeterBinder.class).values().forEach(binder -> binder.bindTo(registry));
                    DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
                    JobId id = jobs.schedule(Flaky::run).now().id();
                    Flaky flaky = context.getBean(Flaky.class);
                    assertThat(flaky.failed.await(30, TimeUnit.SECONDS)).isTrue();
                    jobs.cancel(id);
                    JobListeners listeners = context.getBean(JobListeners.class);
                    listeners.tell(listener -> listener.fenced(flaky.job));
                    listeners.tell(listener -> listener.completed(
                            flaky.job,
                            new JobOutcome.Snoozed(Duration.ofSeconds(1)),
                            new Transition.Ended(JobState.FINISHED),
                            Duration.ZERO));
                    listeners.tell(listener -> listener.adopted(1));
                    listeners.tell(listener -> listener.rescued(List.of(new JobId(new UUID(1, 2)))));
                    listeners.tell(listener -> listener.leaseAcquired(new Partition("default", 0)));
                    listeners.tell(listener -> listener.leaseEnded(new Partition("default", 0), "expired"));
                    listeners.tell(listener -> listener.agentFailed("sweep", new IllegalStateException()));
                    // Other threads take leases and read jobs.
                    await().atMost(Duration.ofSeconds(30))
                            .until(() ->
                                    registry.find("delayjob.cluster.slots.max").gauge() != null
                                            && registry.find("delayjob.preload").timer() != null);
                    scraped = registry.scrape();
                });
    }

    private static ObservationRegistry observations() {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        return observations;
    }

    private static Set<String> documented() throws IOException {
        Set<String> documented = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../docs/operations.md"))) {
            if (line.startsWith("| `delayjob.")) {
                String cell = line.substring(1, line.indexOf('|', 1));
                String first = "";
                for (Matcher name = Pattern.compile("`([^`]+)`").matcher(cell); name.find(); ) {
                    boolean sibling = name.group(1).startsWith(".");
                    first = sibling ? first.substring(0, first.lastIndexOf('.')) + name.group(1) : name.group(1);
                    documented.add(first);
                }
            }
        }
        return documented;
    }

    @Test
    void metersOfThePage_areThoseThatThereAre() throws Exception {
        Set<String> measured = registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented()).isEqualTo(measured);
    }

    @Test
    void metersOfTheDashboard_areThere_withTheLabelsThatItAsksFor() throws Exception {
        Map<String, Set<String>> there = labelsByName();
        JsonNode dashboard = JsonMapper.builder()
                .build()
                .readTree(Path.of("../docs/grafana-dashboard.json").toFile());
        Set<String> shown = new TreeSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                String query = target.get("expr").asString();
                Set<String> labels = matches("(?:by \\(|, )([a-z_]+)(?=[,)])|([a-z_]+)(?:!=|=~?)\"", query);
                labels.addAll(
                        matches("\\{\\{([a-z_]+)}}", target.get("legendFormat").asString()));
                labels.removeAll(LABELS_OF_OTHERS);
                for (String name : matches("(delayjob_[a-z_]+)", query)) {
                    assertThat(there).as(query).containsKey(name);
                    assertThat(there.get(name)).as(query).containsAll(labels);
                    shown.add(name);
                }
            }
        }
        for (String meter : documented()) {
            assertThat(shown)
                    .as("%s is on the dashboard", meter)
                    .anyMatch(name -> name.matches(meter.replace('.', '_') + OF_PROMETHEUS));
        }
    }

    @Test
    void metersOfTheAlerts_areThere_withTheLabelsThatTheyAskFor() throws Exception {
        Map<String, Set<String>> there = labelsByName();
        for (Map<String, Object> alert : PrometheusAlertsTest.alerts()) {
            String query = (String) alert.get("expr");
            Set<String> labels = matches("(?:by|on) \\(([a-z_, ]+)\\)", query).stream()
                    .flatMap(list -> Stream.of(list.split(", ")))
                    .collect(Collectors.toSet());
            labels.addAll(matches("([a-z_]+)(?:!=|=~?)\"", query));
            labels.addAll(matches("labels\\.([a-z_]+)", alert.get("annotations").toString()));
            labels.removeAll(LABELS_OF_OTHERS);
            Set<String> names = matches("(delayjob_[a-z_]+)", query);
            assertThat(names).as(query).isNotEmpty();
            for (String name : names) {
                assertThat(there).as(query).containsKey(name);
                assertThat(there.get(name)).as(query).containsAll(labels);
            }
        }
    }

    @Test
    void nothing_isTaggedJob_asPrometheusCallsItsTargets() {
        assertThat(labelsByName().values())
                .allSatisfy(labels -> assertThat(labels).doesNotContain("job"));
    }

    @Test
    void variablesOfTheDashboard_areLabelsOfTheMetersThatTheyAreReadFrom() throws Exception {
        Map<String, Set<String>> there = labelsByName();
        JsonNode variables = JsonMapper.builder()
                .build()
                .readTree(Path.of("../docs/grafana-dashboard.json").toFile())
                .get("templating")
                .get("list");
        Set<String> names = new TreeSet<>();
        for (JsonNode variable : variables) {
            names.add(variable.get("name").asString());
            Matcher values = Pattern.compile("label_values\\((\\w+).*, (\\w+)\\)")
                    .matcher(variable.get("query").path("query").asString(""));
            if (values.matches()) {
                assertThat(values.group(2)).isEqualTo(variable.get("name").asString());
                assertThat(there).containsKey(values.group(1));
                if (!LABELS_OF_OTHERS.contains(values.group(2))) {
                    assertThat(there.get(values.group(1))).contains(values.group(2));
                }
            }
        }
        assertThat(names).containsExactly("application", "datasource", "handler", "instance");
    }

    private static Set<String> matches(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(DocumentedMetersTest::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String group(MatchResult match) {
        return match.groupCount() > 1 && match.group(1) == null ? match.group(2) : match.group(1);
    }

    private static Map<String, Set<String>> labelsByName() {
        Map<String, Set<String>> labels = new HashMap<>();
        scraped.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            String name = line.split("[{ ]", 2)[0];
            labels.computeIfAbsent(name, first -> new TreeSet<>()).addAll(matches("[{,]([a-z_]+)=\"", line));
        });
        return labels;
    }

    static class Flaky implements JobListener {
        private final CountDownLatch failed = new CountDownLatch(1);
        private volatile Job job;

        @DelayedJob(name = "flaky", retry = @Retry(gaps = "1ms"))
        void run() {
            throw new IllegalStateException("always");
        }

        @DelayedJob(name = "limited", concurrency = 2, scope = ConcurrencyScope.CLUSTER)
        void limited() {}

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            if (next instanceof Transition.Ended) {
                this.job = job;
                failed.countDown();
            }
        }
    }
}
