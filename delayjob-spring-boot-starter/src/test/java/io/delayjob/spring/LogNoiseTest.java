package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.VirtualTime;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A thousand jobs with the same trouble are one piece of news. */
@ExtendWith(OutputCaptureExtension.class)
class LogNoiseTest {

    private static final String OUTAGES = "io.delayjob.internal.agent.OutageLog";

    private final LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());

    @BeforeEach
    void asByDefault() {
        logging.setLogLevel(OUTAGES, LogLevel.INFO);
    }

    @AfterEach
    void asBefore() {
        logging.setLogLevel(OUTAGES, null);
    }

    @Test
    void jobsWithoutAHandler_areMentionedOnceByName(CapturedOutput output) {
        DelayJobTester tester = DelayJobTester.builder().build();
        tester.register(Handler.named("known").calls((arguments, job) -> null));
        for (int i = 0; i < 10; i++) {
            tester.operations().schedule("no-handler-now").now();
            tester.operations().schedule("no-handler-later").after(Duration.ofMinutes(i));
        }

        tester.advance(Duration.ofHours(1));

        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("no handler of that name"))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains("'no-handler-now'"),
                        line -> assertThat(line).contains("'no-handler-later'"));
    }

    /** Older versions let such names pass. */
    @Test
    void namesWithLineBreaks_forgeNoLines(CapturedOutput output) {
        VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
        MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
        String name = "mail\nERROR forged";
        Instant now = time.clock().storeTime();
        NewJob job = new NewJob(
                JobId.create(0, new Random(1)),
                new Partition("default", 0),
                JobTask.of(name),
                JobPlan.once(now, now),
                OnExisting.KEEP,
                1);
        store.submit(List.of(job), rows -> {});

        DelayJobTester.builder().time(time).store(store).build().advance(Duration.ofHours(3));

        assertThat(output).contains("The job store holds jobs named 'mail\\u000AERROR forged'");
        assertThat(output.getOut().lines()).noneMatch(line -> line.startsWith("ERROR forged"));
    }

    @Test
    void jobsThatCannotBeRead_areMentionedOnceByNameAndTenMinutes(CapturedOutput output) {
        DelayJobTester tester =
                DelayJobTester.builder().codec(new UnreadableCodec()).build();
        tester.register(Handler.named("unreadable").calls((arguments, job) -> null));
        for (int i = 0; i < 10; i++) {
            tester.operations().schedule("unreadable").now();
        }

        // Swept once an hour in virtual time.
        tester.advance(Duration.ofMinutes(90));

        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("This instance cannot read the payload"))
                .satisfiesExactly(
                        line -> assertThat(line).doesNotContain("of that name"),
                        line -> assertThat(line).contains("like 9 other jobs of that name before"));
    }

    @Test
    void storeThatIsAway_isToldInOneLine_andInAnotherOnceItIsBack(CapturedOutput output) {
        AtomicBoolean away = new AtomicBoolean();
        DelayJobTester tester = testerOn(away::get);

        away.set(true);
        tester.advance(Duration.ofSeconds(40));
        away.set(false);
        tester.advance(Duration.ofSeconds(20));

        assertThat(outageLines(output))
                .satisfiesExactly(
                        line -> assertThat(line).contains("WARN", "The job store did not answer", "pretended"),
                        line -> assertThat(line)
                                .contains("INFO", "answers again after 4", "heartbeat ", "sweep ", "claim "));
    }

    /** Its pauses are shorter than what an outage takes to be over. */
    @Test
    void storeThatComesAndGoes_isOneOutage(CapturedOutput output) {
        AtomicBoolean away = new AtomicBoolean();
        DelayJobTester tester = testerOn(away::get);

        for (int i = 0; i < 60; i++) {
            away.set(true);
            tester.advance(Duration.ofSeconds(1));
            away.set(false);
            tester.advance(Duration.ofSeconds(3));
        }
        tester.advance(Duration.ofSeconds(20));

        assertThat(outageLines(output))
                .satisfiesExactly(
                        line -> assertThat(line).contains("WARN", "did not answer"),
                        line -> assertThat(line).contains("INFO", "answers again after 3 min 5"));
    }

    @Test
    void storeThatStaysAway_isToldAgainEveryTenMinutes(CapturedOutput output) {
        DelayJobTester tester = testerOn(() -> true);

        tester.advance(Duration.ofMinutes(35));

        assertThat(outageLines(output)).hasSize(4).last().asString().contains("has not answered for 30 min");
    }

    private static DelayJobTester testerOn(BooleanSupplier away) {
        VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
        MemoryJobStore memory = new MemoryJobStore(time.clock()::storeMicros);
        DelayJobTester tester = DelayJobTester.builder()
                .time(time)
                .store((JobStore) awayAtTimes(JobStore.class, memory, away))
                .settings(unhurried -> EngineSettings.defaults("shop").toBuilder())
                .build();
        tester.tolerateFailures();
        tester.register(Handler.named("known").calls((arguments, job) -> null));
        tester.advance(Duration.ofSeconds(20));
        for (int i = 0; i < 200; i++) {
            if (!away.getAsBoolean()) {
                tester.operations().schedule("known").after(Duration.ofSeconds(i));
            }
        }
        return tester;
    }

    /** With its register of instances. */
    private static Object awayAtTimes(Class<?> type, Object healthy, BooleanSupplier away) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (method.getName().equals("instances")) {
                return awayAtTimes(InstanceStore.class, ((JobStore) healthy).instances(), away);
            }
            boolean asksTheStore = method.getDeclaringClass() != JobStore.class;
            if (away.getAsBoolean() && asksTheStore) {
                throw StoreException.unavailable("pretended", new ConnectException("refused"));
            }
            return method.invoke(healthy, arguments);
        });
    }

    private static List<String> outageLines(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("OutageLog"))
                .toList();
    }

    private static final class UnreadableCodec implements PayloadCodec {

        @Override
        public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
            throw new InvalidPayloadException("pretended");
        }
    }
}
