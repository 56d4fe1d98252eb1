package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.JobArgument;
import io.delayjob.handler.Handler;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.MemoryLeaseProvider;
import io.delayjob.test.VirtualTime;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.util.Throwables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.json.JsonMapper;

/** Jobs that one version of a handler's method has stored, and another one finds. */
@ExtendWith(OutputCaptureExtension.class)
class ChangedHandlersTest {

    private static final Duration LONGER_THAN_A_DAY = Duration.ofHours(26);

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final MemoryLeaseProvider leases = new MemoryLeaseProvider(time.clock());
    private final PayloadCodec codec =
            new JacksonPayloadCodec(JsonMapper.builder().build());
    private final List<String> calls = new ArrayList<>();
    private final DelayJobTester tester = instance("tester");

    @Test
    void parameter_renamedAndRetyped_isNeverZero(CapturedOutput output) {
        JobId id = stored(Map.of("orderId", 42));
        deploy(tester, new Retyped());

        tester.advance(Duration.ofHours(1));

        assertThat(calls).isEmpty();
        assertThat(job(id).state()).isIn(JobState.DELAYED, JobState.READY);
        assertThat(output)
                .contains(
                        "This instance cannot read the payload of job",
                        "so the job waits for another instance",
                        "customerId",
                        "orderId");

        tester.advance(LONGER_THAN_A_DAY);

        assertThat(calls).isEmpty();
        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
        assertThat(job(id).failure().message()).contains("'customerId'", "'orderId'", "@JobArgument(\"orderId\")");
    }

    @Test
    void parameter_renamed_isNeverNull() {
        JobId id = stored(Map.of("orderId", "7"));
        deploy(tester, new Renamed());
        tester.advance(LONGER_THAN_A_DAY);

        assertThat(calls).isEmpty();
        assertThat(job(id).failure().message()).contains("'customerId'", "'orderId'");
    }

    @Test
    void nullableParameter_renamed_isNeverNull() {
        JobId id = stored(Map.of("orderId", "7"));
        deploy(tester, new RenamedNullable());
        tester.advance(LONGER_THAN_A_DAY);

        assertThat(calls).isEmpty();
        assertThat(job(id).failure().message()).contains("'customerId'", "'orderId'");
    }

    @Test
    void parameter_added_isAskedFor() {
        JobId id = stored(Map.of("orderId", "7"));
        deploy(tester, new Added());
        tester.advance(LONGER_THAN_A_DAY);

        assertThat(calls).isEmpty();
        assertThat(job(id).failure().message()).contains("'amount'");
    }

    @Test
    void nullableAndOptionalParameters_added_areEmpty() {
        stored(Map.of("orderId", "7"));
        deploy(tester, new AddedNullable());
        tester.advance(Duration.ofHours(2));

        assertThat(calls).containsExactly("7 null Optional.empty");
    }

    @Test
    void parameter_removed_isIgnored() {
        stored(Map.of("orderId", "7", "amount", 3));
        deploy(tester, new Old());
        tester.advance(Duration.ofHours(2));

        assertThat(calls).containsExactly("old 7");
    }

    @Test
    void payload_missingAltogether_isUnreadable() {
        JobId id = tester.operations().schedule("bill").now().id();
        deploy(tester, new Retyped());
        tester.advance(LONGER_THAN_A_DAY);

        assertThat(calls).isEmpty();
        assertThat(job(id).failure().message()).contains("'customerId'");
    }

    @Test
    void parameter_renamedWithItsStoredNameKept_isRead() {
        stored(Map.of("orderId", "7"));
        deploy(tester, new Kept());
        tester.operations().schedule("bill").with(Map.of("orderId", "8")).now();
        tester.operations().schedule("bill").with(List.of("9")).now();
        tester.advance(Duration.ofHours(2));

        assertThat(calls).containsExactlyInAnyOrder("kept 7", "kept 8", "kept 9");
    }

    @Test
    void rollingDeploy_withTheStoredNameKept_runsJobsOfEitherVersionOnTime() {
        DelayJobTester newer = instance("newer");
        deploy(tester, new Old());
        deploy(newer, new Kept());
        for (int i = 0; i < 20; i++) {
            tester.operations()
                    .schedule("bill")
                    .with(Map.of("orderId", "a" + i))
                    .after(Duration.ofDays(3));
            newer.operations().schedule("bill").with(List.of("b" + i)).after(Duration.ofDays(3));
        }

        newer.advance(Duration.ofDays(3));

        assertThat(calls).hasSize(40).doesNotHaveDuplicates();
        assertThat(calls).anyMatch(call -> call.startsWith("old b")).anyMatch(call -> call.startsWith("kept a"));
    }

    @Test
    void argumentOfAWrongType_isRefusedAtTheCallWithWhatWasGiven() {
        deploy(tester, new Retyped());

        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> tester.operations().schedule("bill").with(Map.of("customerId", "4111-1111")))
                .withMessage(
                        "Invalid argument 'customerId' for handler 'bill': must be long, but is a java.lang.String; pass a value of that type.")
                .satisfies(refused -> assertThat(Throwables.getStackTrace(refused))
                        .contains("at 'customerId': must be long")
                        .doesNotContain("tored payload", "4111"));
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> tester.operations().schedule("bill").with(List.of(7)))
                .withMessageContaining("must be long, but is a java.lang.Integer");
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> tester.operations().schedule("bill").with(Map.of("orderId", 7)))
                .withMessageContaining("Invalid argument names [orderId] for handler 'bill'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "1.0"})
    void decimalNumber_forAnIntegerParameter_isRefusedAtTheCallWithItsType(BigDecimal amount) {
        deploy(tester, new Retyped());

        for (Number given : List.<Number>of(amount, amount.doubleValue(), amount.floatValue())) {
            assertThatExceptionOfType(InvalidPayloadException.class)
                    .isThrownBy(() -> tester.operations().schedule("bill").with(Map.of("customerId", given)))
                    .withMessage(
                            "Invalid argument 'customerId' for handler 'bill': must be long, but is a %s; pass a value of that type.",
                            given.getClass().getName());
        }
    }

    @Test
    void storedName_isTakenFromTheMethodThatIsOverridden() {
        assertThat(AnnotatedMethod.of(Inherited.class))
                .singleElement()
                .satisfies(method -> assertThat(method.payloadParameters())
                        .extracting(PayloadParameter::name)
                        .containsExactly("orderId"));
    }

    @Test
    void nullableParameters_areThoseWithAnAnnotationOfThatName() {
        assertThat(AnnotatedMethod.of(Nulls.class))
                .singleElement()
                .satisfies(method -> assertThat(method.payloadParameters())
                        .filteredOn(PayloadParameter::mayBeMissing)
                        .extracting(PayloadParameter::name)
                        .containsExactly("jspecify", "declared", "typeUse", "array"));
    }

    @Test
    void rollingDeploy_leavesEachVersionItsOwnJobs() {
        DelayJobTester older = tester;
        DelayJobTester newer = instance("newer");
        deploy(older, new Old());
        deploy(newer, new Retyped());
        for (int i = 0; i < 20; i++) {
            older.operations()
                    .schedule("bill")
                    .with(Map.of("orderId", "a" + i))
                    .after(Duration.ofDays(3).plusMinutes(i));
            newer.operations()
                    .schedule("bill")
                    .with(Map.of("customerId", i))
                    .after(Duration.ofDays(3).plusMinutes(i));
        }

        newer.advance(Duration.ofDays(3).plusHours(20));

        assertThat(calls).hasSize(40).doesNotHaveDuplicates();
        assertThat(calls).filteredOn(call -> call.startsWith("old a")).hasSize(20);
        assertThat(calls).filteredOn(call -> call.startsWith("customer ")).hasSize(20);
    }

    private JobId stored(Map<String, Object> arguments) {
        return tester.operations().schedule("bill").with(arguments).now().id();
    }

    private Job job(JobId id) {
        return store.find(id).orElseThrow();
    }

    private DelayJobTester instance(String name) {
        return DelayJobTester.builder()
                .name(name)
                .time(time)
                .store(store)
                .leases(leases)
                .codec(codec)
                .build();
    }

    private static void deploy(DelayJobTester instance, Object bean) {
        for (AnnotatedMethod method : AnnotatedMethod.of(bean.getClass())) {
            instance.register(Handler.named(((DelayedJob) method.annotation()).name())
                    .parameters(method.payloadParameters())
                    .calls(new BeanMethod(() -> bean, method.method(), method.takesContext())));
        }
    }

    class Old {
        @DelayedJob("bill")
        void bill(String orderId) {
            calls.add("old " + orderId);
        }
    }

    class Renamed {
        @DelayedJob("bill")
        void bill(String customerId) {
            calls.add("customer " + customerId);
        }
    }

    class RenamedNullable {
        @DelayedJob("bill")
        void bill(@Nullable String customerId) {
            calls.add("customer " + customerId);
        }
    }

    class Retyped {
        @DelayedJob("bill")
        void bill(long customerId) {
            calls.add("customer " + customerId);
        }
    }

    class Added {
        @DelayedJob("bill")
        void bill(String orderId, String amount) {
            calls.add(orderId + " " + amount);
        }
    }

    class Kept {
        @DelayedJob("bill")
        void bill(@JobArgument("orderId") String customerId) {
            calls.add("kept " + customerId);
        }
    }

    interface Billing {
        void bill(@JobArgument("orderId") String order);
    }

    static class Inherited implements Billing {
        @Override
        @DelayedJob("bill")
        public void bill(String customerId) {}
    }

    static class Nulls {
        @DelayedJob("nulls")
        void nulls(
                @Nullable String jspecify,
                @Declared.Nullable String declared,
                @OfType.Nullable String typeUse,
                String @Nullable [] array,
                @Nullable String[] elements,
                @Declared.Nullable long primitive,
                String plain) {}
    }

    static class Declared {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.PARAMETER)
        @interface Nullable {}
    }

    static class OfType {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.TYPE_USE)
        @interface Nullable {}
    }

    class AddedNullable {
        @DelayedJob("bill")
        void bill(String orderId, @Nullable String amount, Optional<String> currency) {
            calls.add(orderId + " " + amount + " " + currency);
        }
    }
}
