package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadParameter;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.type.LogicalType;

class JacksonPayloadCodecTest {

    private final JacksonPayloadCodec codec =
            new JacksonPayloadCodec(JsonMapper.builder().build());

    @Test
    void arguments_areWrittenByParameterName() {
        assertThat(codec.encode(parametersOf("order"), List.of(42L, "Ann"))).isEqualTo("{\"id\":42,\"name\":\"Ann\"}");
    }

    @Test
    void nothing_isStoredForNoParameters() {
        assertThat(codec.encode(List.of(), List.of())).isNull();
        assertThat(codec.encodeNamed(Map.of())).isNull();
        assertThat(codec.decode(List.of(), null)).isEmpty();
    }

    @Test
    void namedArguments_readAsTypedOnes() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("id", 42);
        arguments.put("name", null);
        String payload = codec.encodeNamed(arguments);
        assertThat(payload).isEqualTo("{\"id\":42,\"name\":null}");
        assertThat(codec.decode(parametersOf("order"), payload)).containsExactly(42L, null);
    }

    @Test
    void result_isAddedAsOneMoreArgument() {
        String more = codec.withArgument("{\"id\":42}", "name", "Ann");
        assertThat(more).isEqualTo("{\"id\":42,\"name\":\"Ann\"}");
        assertThat(codec.decode(parametersOf("order"), more)).containsExactly(42L, "Ann");
        assertThat(codec.withArgument(null, "name", "Ann")).isEqualTo("{\"name\":\"Ann\"}");
        assertThat(codec.withArgument(" { } ", "rows", Map.of("a", 1))).isEqualTo("{\"rows\":{\"a\":1}}");
        assertThatThrownBy(() -> codec.withArgument("[42]", "name", "Ann"))
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("withArgument");
    }

    @Test
    void values_surviveTheRoundTrip() {
        assertRoundTrip(
                "times",
                Instant.parse("2026-03-29T01:00:00.123456789Z"),
                ZonedDateTime.of(2026, 10, 25, 2, 30, 0, 0, ZoneId.of("Europe/Berlin")),
                LocalDate.of(2028, 2, 29),
                Duration.ofMillis(1500),
                Period.ofMonths(1));
        assertRoundTrip(
                "kinds",
                Colour.GREEN,
                new Point(1, new BigDecimal("0.10000000000000000000000001")),
                UUID.fromString("018f0000-0000-7000-8000-000000000001"),
                Optional.of("x"));
        assertRoundTrip(
                "generics", List.of(new Point(1, BigDecimal.ONE)), Map.of(Colour.RED, List.of(1L, 2L)), new byte[] {1, 2
                });
        assertRoundTrip("primitives", 1, (byte) 2, (short) 3, 4.5f, 6.5d, true, 'c');
    }

    @Test
    void subtypes_areReadByTheAnnotationsOfTheDeclaredType() {
        assertRoundTrip("shape", new Circle(3));
        assertThat(codec.encode(parametersOf("shape"), List.of(new Circle(3))))
                .isEqualTo("{\"shape\":{\"kind\":\"circle\",\"radius\":3}}");
    }

    @Test
    void missingArguments_thatMayBeMissing_areEmpty() {
        assertThat(codec.decode(parametersOf("lenient"), null)).containsExactly(null, Optional.empty());
        assertThat(codec.decode(parametersOf("lenient"), "{}")).containsExactly(null, Optional.empty());
        assertThat(codec.decode(parametersOf("lenient"), "{\"id\":null,\"maybe\":null}"))
                .containsExactly(null, Optional.empty());
        assertThat(codec.decode(parametersOf("lenient"), "{\"id\":1}")).containsExactly(1L, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            order      |                                    | 'id' (long), 'name' (java.lang.String) are missing
            order      | {}                                 | 'id' (long), 'name' (java.lang.String) are missing
            order      | {"id":1}                           | 'name' (java.lang.String) is missing. If a parameter was added
            order      | {"name":"Ann"}                     | 'id' (long) is missing. If a parameter was added
            order      | {"id":null,"name":"Ann"}           | has null for argument 'id': must be a value, because the argument's type is long
            order      | {"number":1,"name":"Ann"}          | 'id' (long) is missing, and no parameter is named 'number'
            order      | {"id":1,"who":"Ann","where":"x"}   | 'name' (java.lang.String) is missing, and no parameter is named 'who', 'where'
            lenient    | {"number":1}                       | 'id' (java.lang.Long), 'maybe' (java.util.Optional<java.lang.String>) are missing, and no parameter is named 'number'
            lenient    | {"number":1,"maybe":"x"}           | annotate it with its stored name, as in @JobArgument("number")
            primitives | {}                                 | 'i' (int), 'b' (byte)
            """)
    void missingArguments_thatAreAskedForOrMayHaveBeenRenamed_areRefusedByName(
            String method, String payload, String told) {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.decode(parametersOf(method), payload))
                .withMessageContaining(told);
    }

    @Test
    void nullThatIsStored_isHandedOverWhereTheTypeHoldsIt() {
        assertThat(codec.decode(parametersOf("order"), "{\"id\":1,\"name\":null}"))
                .containsExactly(1L, null);
    }

    @Test
    void unknownNames_areIgnoredWhileAllArgumentsAreThere() {
        assertThat(codec.decode(
                        parametersOf("order"), "{\"old\":{\"deep\":[1,{}]},\"id\":1,\"name\":\"Ann\",\"more\":2}"))
                .containsExactly(1L, "Ann");
        assertThat(codec.decode(List.of(), "{\"old\":1}")).isEmpty();
    }

    @Test
    void unknownNames_manyAndLong_areShortened() {
        StringBuilder payload = new StringBuilder("{");
        for (int i = 0; i < 1_000; i++) {
            payload.append("\"")
                    .append("n".repeat(1_000))
                    .append("\\n")
                    .append(i)
                    .append("\":1,");
        }
        payload.setCharAt(payload.length() - 1, '}');
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.decode(parametersOf("order"), payload.toString()))
                .satisfies(refused ->
                        assertThat(refused.getMessage()).hasSizeLessThan(1_000).doesNotContain("\n"));
    }

    @Test
    void objects_mayLackOrHoldPropertiesThatTheirClassesDoNotKnow() {
        assertThat(codec.decode(parametersOf("point"), "{\"point\":{\"y\":1}}"))
                .containsExactly(new Point(0, BigDecimal.ONE));
        assertThat(codec.decode(parametersOf("point"), "{\"point\":{\"x\":1,\"z\":9}}"))
                .containsExactly(new Point(1, null));
    }

    @Test
    void objects_thatLackANumberWhileAnotherPropertyIsUnknown_areRefusedWithBothNames() {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.decode(parametersOf("point"), "{\"point\":{\"abscissa\":9,\"y\":1}}"))
                .withMessageContaining("at 'point.x': must be int")
                .withMessageContaining("'abscissa' is unknown")
                .withMessageContaining("@JsonAlias(\"abscissa\")");
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.decode(
                        parametersOf("points"), "{\"points\":[{\"x\":1},{\"abscissa\":9}],\"other\":{\"x\":3}}"))
                .withMessageContaining("at 'points[1].x': must be int")
                .withMessageContaining("'abscissa' is unknown");
    }

    /** Jackson writes the answers of all getters, and reads back what is a component alone. */
    @Test
    void answersOfGetters_areNoRenamedProperties() {
        assertThat(codec.decode(parametersOf("basket"), "{\"basket\":{\"apples\":2,\"large\":false}}"))
                .containsExactly(new Basket(2, 0));
        assertThat(codec.decode(parametersOf("crate"), "{\"crate\":{\"apples\":2,\"large\":false}}"))
                .singleElement()
                .isInstanceOfSatisfying(
                        Crate.class, crate -> assertThat(crate.apples).isEqualTo(2));
    }

    @Test
    void valuesThatCannotBeWritten_areRefusedByName() {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.encode(parametersOf("selfish"), List.of(new Selfish())))
                .withMessageContaining(
                        "Payload 'selfish' of " + Selfish.class.getName() + " cannot be written as JSON");
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.encodeNamed(Map.of("thread", new Selfish())))
                .withMessageContaining("Payload 'thread'");
    }

    @Test
    void wrongNumberOfArguments_isRefused() {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.encode(parametersOf("order"), List.of(1L)))
                .withMessageContaining("1 arguments were given for 2 parameters");
    }

    @Test
    void payloadsThatDoNotFit_areRefusedWithThePlace() {
        assertRefused("{\"id\":\"many\"}", "at 'id'");
        assertRefused("{\"id\":[1]}", "at 'id'");
        assertRefused("{\"id\":1", "cannot be read as JSON");
        assertRefused("[1]", "must be a JSON object");
        assertRefused("", "must be a JSON object");
        assertRefused("{} {}", "without text after it");
        assertRefused("{}x", "cannot be read as JSON");
        assertRefused("{\"a\":nonsense}", "cannot be read as JSON (character 5)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            order      | {"id":1.5,"name":"Ann"}            | at 'id': must be long
            order      | {"id":1.0,"name":"Ann"}            | at 'id': must be long
            order      | {"id":1e3,"name":"Ann"}            | at 'id': must be long
            order      | {"id":"1.5","name":"Ann"}          | at 'id': must be long
            order      | {"id":"","name":"Ann"}             | at 'id': must be long
            order      | {"id":" ","name":"Ann"}            | at 'id': must be long
            order      | {"id":9223372036854775808,"name":"Ann"} | at 'id': must be long
            lenient    | {"id":1.5}                         | at 'id': must be java.lang.Long
            lenient    | {"id":""}                          | at 'id': must be java.lang.Long
            point      | {"point":{"x":1.5,"y":1}}          | at 'point.x': must be int
            point      | {"point":{"x":"","y":1}}           | at 'point.x': must be int
            point      | {"point":{"x":1,"y":""}}           | at 'point.y': must be java.math.BigDecimal
            generics   | {"points":[{"x":1.5}]}             | at 'points[0].x': must be int
            primitives | {"s":3.5}                          | at 's': must be short
            primitives | {"b":2.5}                          | at 'b': must be byte
            primitives | {"d":""}                           | at 'd': must be double
            primitives | {"z":2}                            | at 'z': must be boolean
            primitives | {"z":""}                           | at 'z': must be boolean
            """)
    void numberOrTextThatWouldLoseItsValue_isRefusedWithThePlace(String method, String payload, String told) {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.decode(parametersOf(method), payload))
                .withMessageContaining(told);
    }

    @Test
    void numberOrTextThatKeepsItsValue_isRead() {
        assertThat(codec.decode(parametersOf("order"), "{\"id\":\"42\",\"name\":7}"))
                .containsExactly(42L, "7");
        assertThat(codec.decode(parametersOf("point"), "{\"point\":{\"x\":\"1\",\"y\":1.5}}"))
                .containsExactly(new Point(1, new BigDecimal("1.5")));
    }

    @Test
    void mapperOfTheApplication_thatCutsFractions_isCopiedAndKeepsItsOwnRules() {
        JsonMapper careless = JsonMapper.builder()
                .withCoercionConfig(
                        LogicalType.Integer,
                        rule -> rule.setCoercion(CoercionInputShape.Float, CoercionAction.TryConvert))
                .build();
        JacksonPayloadCodec strict = new JacksonPayloadCodec(careless);
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> strict.decode(parametersOf("lenient"), "{\"id\":1.5}"));
        assertThat(careless.readValue("1.5", Long.class)).isEqualTo(1L);
        assertThat(careless.readValue("2", Boolean.class)).isTrue();
    }

    private void assertRefused(String payload, String part) {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .as(payload)
                .isThrownBy(() -> codec.decode(parametersOf("order"), payload))
                .withMessageContaining(part);
    }

    @Test
    void parametersThatCanBeStored_areLetPass() {
        for (Method method : Signatures.class.getDeclaredMethods()) {
            List<PayloadParameter> parameters = Arrays.stream(method.getParameters())
                    .map(JacksonPayloadCodecTest::parameter)
                    .toList();
            assertThatCode(() -> codec.check(parameters)).as(method.getName()).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            java.io.InputStream                                         | is an interface or abstract
            javax.sql.DataSource                                        | is an interface or abstract
            io.delayjob.spring.JacksonPayloadCodecTest$Unreadable       | has no constructor
            io.delayjob.spring.JacksonPayloadCodecTest$Unwritable       | has no property
            io.delayjob.spring.JacksonPayloadCodecTest$Contradictory    | cannot be
            """)
    void parametersThatCannotBeStored_areRefusedByTypeAndName(Class<?> type, String reason) {
        assertThatExceptionOfType(InvalidPayloadException.class)
                .isThrownBy(() -> codec.check(List.of(new PayloadParameter("it", type))))
                .withMessageStartingWith(type.getName() + ", the type of parameter 'it', " + reason);
    }

    @Test
    void mapperOfTheApplication_isMadeSafe() {
        JsonMapper careless = JsonMapper.builder()
                .activateDefaultTyping(
                        BasicPolymorphicTypeValidator.builder()
                                .allowIfBaseType(Object.class)
                                .build(),
                        DefaultTyping.NON_FINAL)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build();
        JacksonPayloadCodec safe = new JacksonPayloadCodec(careless);
        assertThat(safe.encodeNamed(Map.of("point", new Point(1, null)))).isEqualTo("{\"point\":{\"x\":1,\"y\":null}}");
        assertThat(safe.decode(parametersOf("anything"), "{\"anything\":[\"java.net.URL\",\"http://localhost\"]}"))
                .containsExactly(List.of("java.net.URL", "http://localhost"));
    }

    private void assertRoundTrip(String method, Object... values) {
        List<PayloadParameter> parameters = parametersOf(method);
        List<Object> read = codec.decode(parameters, codec.encode(parameters, Arrays.asList(values)));
        assertThat(read).usingRecursiveComparison().isEqualTo(Arrays.asList(values));
    }

    private static List<PayloadParameter> parametersOf(String name) {
        Method method = Arrays.stream(Signatures.class.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return Arrays.stream(method.getParameters())
                .map(JacksonPayloadCodecTest::parameter)
                .toList();
    }

    private static PayloadParameter parameter(Parameter parameter) {
        boolean nullable = parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
        return new PayloadParameter(parameter.getName(), parameter.getParameterizedType(), nullable);
    }

    interface Signatures {
        void order(long id, String name);

        void times(Instant instant, ZonedDateTime zoned, LocalDate date, Duration duration, Period period);

        void kinds(Colour colour, Point point, UUID id, Optional<String> maybe);

        void generics(List<Point> points, Map<Colour, List<Long>> numbers, byte[] bytes);

        void primitives(int i, byte b, short s, float f, double d, boolean z, char c);

        void shape(Shape shape);

        void point(Point point);

        void basket(Basket basket);

        void crate(Crate crate);

        void selfish(Selfish selfish);

        void anything(Object anything);

        void points(List<Point> points, Point other);

        void lenient(@Nullable Long id, Optional<String> maybe);
    }

    enum Colour {
        RED,
        GREEN
    }

    record Point(int x, BigDecimal y) {}

    /** Pears were added in a later version. */
    record Basket(int apples, int pears) {
        public boolean isLarge() {
            return apples + pears > 9;
        }
    }

    /** The same, read through its constructor. */
    static final class Crate {
        private final int apples;
        private final int pears;

        @JsonCreator
        Crate(@JsonProperty("apples") int apples, @JsonProperty("pears") int pears) {
            this.apples = apples;
            this.pears = pears;
        }

        public int getApples() {
            return apples;
        }

        public int getPears() {
            return pears;
        }

        public boolean isLarge() {
            return apples + pears > 9;
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
    interface Shape {}

    record Circle(int radius) implements Shape {}

    static final class Unreadable {
        private Unreadable(int number, String text) {}

        public int getNumber() {
            return 1;
        }
    }

    static final class Unwritable {
        private String text = "";
    }

    static final class Contradictory {
        @JsonProperty("same")
        public int one;

        @JsonProperty("same")
        public int other;
    }

    static final class Selfish {
        public Selfish getSelf() {
            return this;
        }

        public List<Selfish> getNone() {
            return Collections.emptyList();
        }
    }
}
