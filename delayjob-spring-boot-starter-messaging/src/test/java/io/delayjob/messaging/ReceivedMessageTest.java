package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.JobHandler;
import io.delayjob.spring.CheckedBody;
import io.delayjob.target.JsonBody;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;
import tools.jackson.databind.json.JsonMapper;

class ReceivedMessageTest {

    record Export(int rows) {}

    private static Map<String, Object> arguments(Message<?> message) {
        return arguments(message, StatedHeaders.ANY);
    }

    private static Map<String, Object> arguments(Message<?> message, StatedHeaders rule) {
        return new ReceivedMessage(message, JsonMapper.builder().build(), rule).arguments();
    }

    private static MessageBuilder<?> message(Object payload) {
        return MessageBuilder.withPayload(payload);
    }

    @Test
    void objectsAndOtherTexts_areLeftToTheCodec() {
        assertThat(arguments(message(new Export(5)).build())).containsExactly(Map.entry("body", new Export(5)));
        assertThat(arguments(message("5").build())).containsEntry("body", "5");
        assertThat(arguments(message("5").setHeader("contentType", "text/plain").build()))
                .containsEntry("body", "5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/json;charset=UTF-8", "application/vnd.shop+json"})
    void textThatIsJson_isKeptAsItIs(String type) {
        assertThat(arguments(message("{\"rows\": 5.10}")
                        .setHeader("contentType", type)
                        .build()))
                .containsEntry("body", new JsonBody("{\"rows\": 5.10}"));
        assertThat(arguments(message("1")
                        .setHeader("content-type", type.getBytes(StandardCharsets.UTF_8))
                        .build()))
                .containsEntry("body", new JsonBody("1"));
    }

    @Test
    void bytesMustBeJson() {
        assertThat(arguments(message("[1]".getBytes(StandardCharsets.UTF_8)).build()))
                .containsEntry("body", new JsonBody("[1]"));
        for (String other : List.of("hello", "", "[1] [2]", "{\"a\":")) {
            assertThatThrownBy(() -> arguments(
                            message(other.getBytes(StandardCharsets.UTF_8)).build()))
                    .as("body '%s'", other)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must be JSON");
        }
        assertThatThrownBy(() -> arguments(message(new byte[] {(byte) 0xff}).build()))
                .hasMessageContaining("not UTF-8");
    }

    @Test
    void nothingStaysNothing() {
        assertThat(arguments(message(KafkaNull.INSTANCE).build())).isEmpty();
    }

    @Test
    void userHeadersAreKept_othersAreNot() {
        assertThat(arguments(message(1)
                        .setHeader("X-Tenant", "north")
                        .setHeader("trace", "t".getBytes(StandardCharsets.UTF_8))
                        .setHeader("rank", 7)
                        .setHeader("binary", new byte[] {(byte) 0xff})
                        .setHeader("list", List.of(1))
                        .setHeader("ce_id", "1:1")
                        .setHeader("cloudEvents_source", "/delayjob")
                        .setHeader("kafka_offset", 5L)
                        .setHeader("amqp_deliveryTag", 5L)
                        .setHeader("jms_messageId", "ID:1")
                        .setHeader("JMSXDeliveryCount", "1")
                        .setHeader("_AMQ_DUPL_ID", "1:1")
                        .setHeader("CC", "spy")
                        .setHeader("x-first-death-queue", "exports")
                        .setHeader("x-delivery-count", 1)
                        .setHeader("traceparent", "00-1-1-01")
                        .setHeader("__TypeId__", "com.example.Chosen")
                        .setHeader("__KeyTypeId__", "com.example.Chosen".getBytes(StandardCharsets.UTF_8))
                        .setHeader("x-delay", 5000)
                        .setHeader("long", "x".repeat(4_001))
                        .build()))
                .containsEntry("headers", Map.of("X-Tenant", "north", "trace", "t", "rank", "7"));
    }

    /** Otherwise the listener fails, and the broker delivers the message again at once, for ever. */
    @Test
    void headersThatTheTargetRefuses_areLeftOut() {
        Message<?> message = message(1)
                .setHeader("X-Tenant", "north")
                .setHeader("and", "north")
                .setHeader("tenant", "north")
                .setHeader("long", "x".repeat(4_001))
                .build();
        for (StatedHeaders rule : StatedHeaders.values()) {
            @SuppressWarnings("unchecked")
            Map<String, String> headers =
                    (Map<String, String>) arguments(message, rule).get("headers");
            assertThat(rule.check(headers)).isEqualTo(headers).containsEntry("tenant", "north");
        }
        assertThat(arguments(message, StatedHeaders.JMS)).containsEntry("headers", Map.of("tenant", "north"));
    }

    @Test
    void knownTarget_decidesWhichHeadersAreKept() {
        HandlerRegistry handlers = new HandlerRegistry();
        JobHandler target = new MessageTarget(
                "exports", new CloudEvents("/shop", CloudEvents.AMQP), StatedHeaders.JMS, message -> null);
        handlers.register(Handler.named("exports")
                .parameters(MessageTarget.PARAMETERS)
                .calls(new CheckedBody(target, (arguments, job) -> target.handle(arguments, job))));

        assertThat(MessageTarget.rule(handlers, "exports")).isEqualTo(StatedHeaders.JMS);
        assertThat(MessageTarget.rule(handlers, "elsewhere")).isEqualTo(StatedHeaders.ANY);
        assertThat(MessageTarget.rule(null, "exports")).isEqualTo(StatedHeaders.ANY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"__TypeId__", "__ContentTypeId__", "__KeyTypeId__", "X-Delay", "spring_json_header_types"})
    void jobMayNotStateHeadersThatNameClassesOrControlTheBroker(String header) {
        for (StatedHeaders rule : StatedHeaders.values()) {
            assertThatThrownBy(() -> rule.check(Map.of(header, "com.example.Chosen")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .doesNotContain("Chosen");
        }
    }

    @Test
    void recordKeyIsKept() {
        assertThat(arguments(message(1)
                        .setHeader("kafka_receivedMessageKey", "order-7")
                        .build()))
                .containsEntry("key", "order-7");
        assertThat(arguments(message(1)
                        .setHeader("cloudEvents_partitionkey", "order-8")
                        .build()))
                .containsEntry("key", "order-8");
    }
}
