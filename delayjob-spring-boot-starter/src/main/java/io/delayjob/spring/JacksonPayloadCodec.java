package io.delayjob.spring;

import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.handler.StoredArguments;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MutableCoercionConfig;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.impl.UnknownSerializer;
import tools.jackson.databind.type.LogicalType;
import tools.jackson.databind.util.ClassUtil;

/**
 * Writes a payload as one JSON object, {@code {"orderId":42}}, with arguments by parameter name. The type of each
 * argument comes from the signature of the handler, and never from the stored payload. Thread-safe.
 *
 * <p>The given mapper is copied. The copy does not use default typing. In the copy, times keep their zones. Unknown and
 * missing properties of an object are no error. But a payload is refused if it contains an unknown property and lacks a
 * value of a primitive type. Then the unknown property is probably the old name of the missing value.
 *
 * <p>A value of the wrong type is refused and not converted, even if the mapper allows it. For example, an integer type
 * does not accept {@code 1.0}.
 */
public final class JacksonPayloadCodec implements PayloadCodec {

    private final JsonMapper mapper;
    private final Map<Type, ObjectWriter> writers = new ConcurrentHashMap<>();
    private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

    /** @param mapper the mapper that knows the application's types */
    public JacksonPayloadCodec(JsonMapper mapper) {
        this.mapper = mapper.rebuild()
                .deactivateDefaultTyping()
                .addHandler(new StrangeProperties.Noter())
                .disable(SerializationFeature.INDENT_OUTPUT)
                .disable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(
                        DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS,
                        DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS,
                        DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .withCoercionConfig(LogicalType.Integer, refusing(CoercionInputShape.Float))
                .withCoercionConfig(LogicalType.Integer, refusing(CoercionInputShape.EmptyString))
                .withCoercionConfig(LogicalType.Float, refusing(CoercionInputShape.EmptyString))
                .withCoercionConfig(LogicalType.Boolean, refusing(CoercionInputShape.EmptyString))
                .withCoercionConfig(LogicalType.Boolean, refusing(CoercionInputShape.Integer))
                .build();
    }

    private static Consumer<MutableCoercionConfig> refusing(CoercionInputShape shape) {
        return type -> type.setCoercion(shape, CoercionAction.Fail);
    }

    @Override
    public void check(List<PayloadParameter> parameters) {
        for (PayloadParameter parameter : parameters) {
            @Nullable JavaType type = mapper.constructType(parameter.type());
            while (type != null) {
                ValueDeserializer<?> deserializer = checkReadable(parameter, type);
                checkWritable(parameter, type);
                // The elements that a type's own deserializer reads are not checked.
                type = ClassUtil.isJacksonStdImpl(deserializer) ? type.getContentType() : null;
            }
        }
    }

    private ValueDeserializer<?> checkReadable(PayloadParameter parameter, JavaType type) {
        ValueDeserializer<?> deserializer;
        try {
            deserializer = mapper._deserializationContext().findRootValueDeserializer(type);
        } catch (JacksonException refused) {
            throw new InvalidPayloadException(refusal(parameter, type, "cannot be read: " + reason(refused)), refused);
        }
        if (deserializer instanceof AbstractDeserializer) {
            throw new InvalidPayloadException(refusal(
                    parameter, type, "is an interface or abstract, and does not name the type to read instead."));
        }
        if (deserializer instanceof BeanDeserializerBase bean
                && !bean.getValueInstantiator().canInstantiate()) {
            throw new InvalidPayloadException(
                    refusal(parameter, type, "has no constructor for JSON, so it could never be read again."));
        }
        return deserializer;
    }

    private void checkWritable(PayloadParameter parameter, JavaType type) {
        try {
            ValueSerializer<?> serializer = mapper._serializationContext().findValueSerializer(type);
            if (serializer instanceof UnknownSerializer && !type.isJavaLangObject()) {
                throw new InvalidPayloadException(
                        refusal(parameter, type, "has no property that can be written, so its content would be lost."));
            }
        } catch (JacksonException refused) {
            throw new InvalidPayloadException(
                    refusal(parameter, type, "cannot be written: " + reason(refused)), refused);
        }
    }

    private static String refusal(PayloadParameter parameter, JavaType type, String reason) {
        return "%s, the type of parameter '%s', %s".formatted(type.toCanonical(), parameter.name(), reason);
    }

    @Override
    public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
        if (parameters.size() != arguments.size()) {
            throw new InvalidPayloadException(
                    "%d arguments were given for %d parameters %s: give one argument for each parameter."
                            .formatted(arguments.size(), parameters.size(), parameters));
        }
        if (parameters.isEmpty()) {
            return null;
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator json = mapper.createGenerator(text)) {
            json.writeStartObject();
            for (int i = 0; i < parameters.size(); i++) {
                PayloadParameter parameter = parameters.get(i);
                write(json, parameter.name(), writer(parameter.type()), arguments.get(i));
            }
            json.writeEndObject();
        }
        return text.toString();
    }

    @Override
    public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
        if (arguments.isEmpty()) {
            return null;
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator json = mapper.createGenerator(text)) {
            json.writeStartObject();
            arguments.forEach((name, argument) -> write(json, name, mapper.writer(), argument));
            json.writeEndObject();
        }
        return text.toString();
    }

    @Override
    public String encodeResult(Object result) {
        try {
            return mapper.writeValueAsString(result);
        } catch (JacksonException refused) {
            throw new InvalidPayloadException(
                    "A result of %s cannot be written as JSON: %s Return a value that can be written, such as a record or a map."
                            .formatted(typeOf(result), reason(refused)),
                    refused);
        }
    }

    private static void write(JsonGenerator json, String name, ObjectWriter writer, @Nullable Object argument) {
        try {
            json.writeName(name);
            writer.writeValue(json, argument);
        } catch (JacksonException refused) {
            throw new InvalidPayloadException(
                    "Payload '%s' of %s cannot be written as JSON: %s Pass a value that can be written, such as a record or an id."
                            .formatted(name, typeOf(argument), reason(refused)),
                    refused);
        }
    }

    @Override
    public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
        if (payload == null || parameters.isEmpty()) {
            return new StoredArguments(parameters).complete();
        }
        StrangeProperties strange = new StrangeProperties(mapper);
        List<@Nullable Object> arguments =
                read(parameters, payload, reader -> reader.withAttribute(StrangeProperties.class, strange));
        String unknown = strange.first();
        if (unknown != null) {
            checkNotRenamed(parameters, payload, unknown);
        }
        return arguments;
    }

    /**
     * Throws an exception if a number or {@code boolean} is missing. Perhaps its property was renamed. Then the unknown
     * property has the old name.
     */
    private void checkNotRenamed(List<PayloadParameter> parameters, String payload, String unknown) {
        try {
            read(parameters, payload, reader -> reader.with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES));
        } catch (InvalidPayloadException missing) {
            throw new InvalidPayloadException(
                    ("%s No value is stored for it, and the stored property '%s' is unknown. If a property was "
                                    + "renamed, annotate it with @JsonAlias(\"%s\").")
                            .formatted(missing.getMessage(), unknown, unknown),
                    missing);
        }
    }

    private List<@Nullable Object> read(
            List<PayloadParameter> parameters, String payload, UnaryOperator<ObjectReader> readers) {
        StoredArguments arguments = new StoredArguments(parameters);
        PayloadParameter reading = null;
        try (JsonParser json = mapper.createParser(payload)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidPayloadException(
                        "Invalid payload: must be a JSON object with arguments by parameter name, such as {\"orderId\":42}.");
            }
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                JsonToken token = json.nextToken();
                int index = arguments.indexOf(name);
                if (index < 0) {
                    json.skipChildren();
                } else {
                    reading = parameters.get(index);
                    boolean plain = token.isScalarValue();
                    ObjectReader reader = reader(reading.type());
                    arguments.set(
                            index,
                            token == JsonToken.VALUE_NULL && reading.isPrimitive()
                                    ? null
                                    : (plain ? reader : readers.apply(reader)).readValue(json));
                    reading = null;
                }
            }
            if (json.nextToken() != null) {
                throw new InvalidPayloadException(
                        "Invalid payload: must be a single JSON object, without text after it.");
            }
        } catch (InvalidPayloadException | VirtualMachineError refused) {
            throw refused;
        } catch (RuntimeException | Error unreadable) {
            // Jackson's exception may quote the payload, which would then be logged and stored.
            throw new InvalidPayloadException(
                    UnreadableValue.describe(reading, unreadable),
                    WithheldException.of(unreadable, "values of the payload"));
        }
        return arguments.complete();
    }

    private ObjectWriter writer(Type type) {
        return writers.computeIfAbsent(type, unseen -> mapper.writerFor(mapper.constructType(unseen)));
    }

    private ObjectReader reader(Type type) {
        return readers.computeIfAbsent(type, unseen -> mapper.readerFor(mapper.constructType(unseen)));
    }

    private static String typeOf(@Nullable Object argument) {
        return argument == null ? "no type" : argument.getClass().getName();
    }

    private static String reason(JacksonException failure) {
        return failure.getOriginalMessage() + ".";
    }
}
