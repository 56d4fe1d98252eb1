package io.delayjob.test;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.schedule.Repeat;
import io.delayjob.status.EngineStatus;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that no exception of any call of the store ends a background role, and counts the calls of an idle engine. */
class AnyFailureTest {

    private static final List<String> CALLS = List.of(
            "beat",
            "look",
            "partitionsInUse",
            "dueAfter",
            "overdue",
            "claim",
            "complete",
            "claimedByOthers",
            "purgeHistory",
            "purgeKept");

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private final Map<String, Integer> asked = new HashMap<>();
    private final Set<String> failed = new HashSet<>();
    private Throwable failure;
    private String failing;

    static Stream<Throwable> whatMayBeThrown() {
        return Stream.of(
                new IllegalStateException("a mistake"),
                new OutOfMemoryError("pretended"),
                new StackOverflowError("pretended"),
                new NoClassDefFoundError("pretended"),
                new InterruptedException("not declared, and thrown all the same"));
    }

    @ParameterizedTest
    @MethodSource("whatMayBeThrown")
    void noRoleDiesOfWhatTheStoreThrows(Throwable thrown) {
        Cluster.Member member = cluster.join("a", failing(JobStore.class, cluster.memory), UnaryOperator.identity());
        member.tester().tolerateFailures();
        member.tester().register(calls.named("job"));
        cluster.time.advance(ofMinutes(1));
        // Without an overdue row, no sweep would read the table.
        StoreScenario rows = new StoreScenario(cluster.memory);
        rows.submit(rows.job().name("nobody's").at(cluster.time.clock().storeTime()));
        member.tester()
                .operations()
                .schedule("job")
                .repeat(Repeat.every(ofMillis(500)).times(800));
        cluster.time.advance(ofSeconds(10));

        failure = thrown;
        cluster.time.advance(ofMinutes(1));
        // Calls fail one after the other, because after a failed call the next call would not be made.
        for (String method : CALLS) {
            failing = method;
            cluster.time.advance(method.startsWith("purge") ? ofMinutes(20) : ofSeconds(12));
        }
        failure = null;
        cluster.time.advance(ofMinutes(10));

        assertThat(failed).containsAll(CALLS);
        assertThat(calls.all().stream().map(Calls.Call::run).distinct()).hasSize(800);
        EngineStatus status = member.tester().engine().status();
        assertThat(status.troubles()).isEmpty();
        assertThat(status.attempts()).isZero();
        assertThat(status.unwritten()).isZero();
        assertThat(status.led()).hasSize(8);
    }

    @Test
    void anInstanceSendsOneHeartbeatHoweverManyJobsItRuns() {
        Cluster.Member member = cluster.join("a", failing(JobStore.class, cluster.memory), UnaryOperator.identity());
        member.tester().register(calls.named("job"));
        cluster.time.advance(ofMinutes(1));
        for (int i = 0; i < 1_000; i++) {
            member.tester().operations().schedule("job").after(ofMillis(50L * i));
        }
        asked.clear();

        cluster.time.advance(ofMinutes(1));

        assertThat(calls.count()).isEqualTo(1_000);
        assertThat(asked.get("beat")).isBetween(29, 31);
    }

    @Test
    void anIdleInstanceAsksOnceASecondWhatTheJobsAreLike() {
        Cluster.Member member = cluster.join("a", failing(JobStore.class, cluster.memory), UnaryOperator.identity());
        member.tester().register(calls.named("job"));
        for (int i = 0; i < 100; i++) {
            member.tester().operations().schedule("job").after(ofDays(300));
        }
        // The statistics of past minutes are purged once an hour, for the first time after the first minute.
        cluster.time.advance(ofMinutes(2));
        asked.clear();

        cluster.time.advance(ofMinutes(1));

        assertThat(asked.keySet()).containsExactlyInAnyOrder("partitionsInUse", "beat", "look");
        assertThat(asked.get("partitionsInUse")).isBetween(59, 60);
        assertThat(asked.get("look")).isBetween(29, 31);
    }

    private <T> T failing(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            boolean meant = failing == null || failing.equals(method.getName());
            if (failure != null && meant && method.getDeclaringClass() != Object.class) {
                failed.add(method.getName());
                sneak(failure);
            }
            asked.merge(method.getName(), 1, Integer::sum);
            try {
                Object answer = method.invoke(target, args);
                return answer instanceof InstanceStore instances ? failing(InstanceStore.class, instances) : answer;
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
