package io.delayjob.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobHeadersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "authorization",
                "Cookie",
                "Host",
                "Connection",
                "TE",
                "Transfer-Encoding",
                "Upgrade",
                "Expect",
                "Content-Length",
                "Content-Type",
                "Proxy-Authorization",
                "X-Forwarded-For",
                "Forwarded",
                "webhook-id",
                "Webhook-Signature",
                "ce-id",
                "ce_id",
                "cloudEvents:id",
                "delayjob-answer-to",
                "Idempotency-Key",
                "traceparent",
                "baggage",
                "__TypeId__",
                "x-delay",
                "",
                "a b",
                "a:b",
                "a\r\nb",
                "ä"
            })
    void nameThatIsTheTargetsBusiness_isNotAllowed(String name) {
        assertThatThrownBy(() -> new JobHeaders(List.of(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Invalid allowed header")
                .message()
                .doesNotContain("\n", "\r");
    }

    @Test
    void allowedHeader_isTakenInAnyCase() {
        assertThat(new JobHeaders(List.of("X-Tenant")).check(Map.of("x-TENANT", "a")))
                .containsExactly(Map.entry("x-tenant", "a"));
        assertThat(new JobHeaders(List.of()).check(null)).isEmpty();
    }

    @Test
    void headerThatIsNotAllowed_isRefused_withoutItsNameAndValue() {
        assertThatThrownBy(() -> new JobHeaders(List.of()).check(Map.of("X-Other", "secret")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("which allows no headers")
                .message()
                .doesNotContain("X-Other", "secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nHost: b", "a\nb", "a\u0000", "tab\t", "ä", "\u2028", "\u007f"})
    void valueThatIsNotPrintableAscii_isRefused(String value) {
        assertThatThrownBy(() -> new JobHeaders(List.of("x-a")).check(Map.of("x-a", value)))
                .hasMessageContaining("printable ASCII");
        assertThatThrownBy(() -> new JobHeaders(List.of("x-a")).check(Map.of("x-a", "a".repeat(1001))))
                .hasMessageContaining("1000");
        assertThatThrownBy(() -> new JobHeaders(List.of("x-a")).check(Collections.singletonMap("x-a", null)))
                .hasMessageContaining("x-a");
    }

    @Test
    void headerThatIsStatedTwice_isRefused() {
        Map<String, String> twice = new LinkedHashMap<>();
        twice.put("x-a", "1");
        twice.put("X-A", "2");
        assertThatThrownBy(() -> new JobHeaders(List.of("x-a")).check(twice)).hasMessageContaining("twice");
    }
}
