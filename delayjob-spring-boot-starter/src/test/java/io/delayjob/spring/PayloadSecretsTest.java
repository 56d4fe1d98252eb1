package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.delayjob.handler.Handler;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.Failure;
import io.delayjob.job.JobId;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.VirtualTime;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/** Nothing that is written or thrown because a payload cannot be read holds a value of that payload. */
@ExtendWith(OutputCaptureExtension.class)
class PayloadSecretsTest {

    private static final String SECRET = "4111-1111-1111-1111";

    private final JacksonPayloadCodec codec =
            new JacksonPayloadCodec(JsonMapper.builder().build());

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            number   | {"it":"4111-1111-1111-1111"}                         | at 'it': must be long
            card     | {"it":{"number":"4111-1111-1111-1111"}}              | at 'it.number': must be long
            cards    | {"it":[{"number":1},{"number":"4111-1111-1111-1111"}]} | at 'it[1].number': must be long
            byKey    | {"it":{"4111-1111-1111-1111":"x"}}                   | at 'it[…]': must be java.lang.Long
            keys     | {"it":{"4111-1111-1111-1111":1}}                     | at 'it
            checked  | {"it":{"number":"4111-1111-1111-1111"}}              | at 'it
            any      | {"it":{"4111-1111-1111-1111":"x"}}                   | at 'it
            any      | {"it":{"card4111":"x"}}                             | at 'it[…]': must be long
            asserted | {"it":"4111-1111-1111-1111"}                         | at 'it': must be
            kind     | {"it":"4111-1111-1111-1111"}                         | at 'it': must be
            date     | {"it":"4111-1111-1111-1111"}                         | at 'it': must be java.time.LocalDate
            id       | {"it":"4111-1111-1111-1111"}                         | at 'it': must be java.util.UUID
            amount   | {"it":"4111-1111-1111-1111"}                         | at 'it': must be java.math.BigDecimal
            number   | {"it":4111-1111-1111-1111}                           | cannot be read
            number   | {"it":nonsense4111-1111-1111-1111}                   | cannot be read
            number   | 4111-1111-1111-1111                                  | cannot be read
            number   | {"it":1} 4111                                        | without text after it
            number   | {"it":1} 4111-1111-1111-1111                         | cannot be read as JSON (character
            renamed  | {"it":{"no":"4111-1111-1111-1111"}}                  | 'it.number': must be long
            """)
    void reading_failed_tellsPlaceAndTypeAndNoValue(String method, String payload, String told) {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.decode(parametersOf(method), payload))
                .satisfies(thrown -> {
                    assertThat(thrown.getMessage()).contains(told);
                    Failure stored = Failure.of(thrown);
                    assertThat(stored.toString()).doesNotContain("4111");
                    assertThat(stored.stackTrace()).doesNotContain("4111");
                });
    }

    @Test
    void reading_failedInACodeOfTheApplication_tellsWhereItWasThrown() {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.decode(parametersOf("checked"), "{\"it\":{\"number\":\"" + SECRET + "\"}}"))
                .satisfies(thrown -> assertThat(Failure.of(thrown).stackTrace())
                        .contains(IllegalArgumentException.class.getName(), Checked.class.getName() + ".<init>"));
    }

    @Test
    void unreadableJob_isLoggedAndStoredWithoutItsValues(CapturedOutput output) {
        VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
        MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
        DelayJobTester tester = DelayJobTester.builder()
                .time(time)
                .store(store)
                .codec(codec)
                .listener(new FailureLog())
                .build();
        JobId id = tester.operations()
                .schedule("charge")
                .with(Map.of("it", SECRET))
                .now()
                .id();
        tester.register(
                Handler.named("charge").parameters(parametersOf("number")).calls((arguments, job) -> null));

        tester.advance(Duration.ofHours(26));

        Failure failure = store.find(id).orElseThrow().failure();
        assertThat(failure.toString()).contains("at 'it'").doesNotContain("4111");
        assertThat(failure.stackTrace()).doesNotContain("4111");
        assertThat(output).contains("This instance cannot read the payload").doesNotContain("4111");
    }

    private static List<PayloadParameter> parametersOf(String name) {
        Method method = Arrays.stream(Signatures.class.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return Arrays.stream(method.getParameters())
                .map(parameter -> new PayloadParameter(parameter.getName(), parameter.getParameterizedType()))
                .toList();
    }

    interface Signatures {
        void number(long it);

        void card(Card it);

        void cards(List<Card> it);

        void byKey(Map<String, Long> it);

        void renamed(Card it);

        void keys(Map<UUID, Long> it);

        void checked(Checked it);

        void any(Any it);

        void asserted(Asserted it);

        void kind(Kind it);

        void date(LocalDate it);

        void id(UUID it);

        void amount(BigDecimal it);
    }

    record Card(long number) {}

    record Checked(String number) {
        Checked {
            throw new IllegalArgumentException("Not a number: " + number);
        }
    }

    static final class Any {
        @JsonAnySetter
        public void put(String name, long value) {}
    }

    @JsonDeserialize(using = Asserting.class)
    record Asserted(String number) {}

    static final class Asserting extends ValueDeserializer<Asserted> {
        @Override
        public Asserted deserialize(JsonParser json, DeserializationContext context) {
            throw new AssertionError("Not a number: " + json.getString());
        }
    }

    enum Kind {
        DEBIT
    }
}
