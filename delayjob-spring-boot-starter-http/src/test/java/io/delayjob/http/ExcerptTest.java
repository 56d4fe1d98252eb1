package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept of a response. */
class ExcerptTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private final Excerpt excerpt = new Excerpt(List.of(SECRET));

    private String read(String body, String... sent) {
        return excerpt.read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), List.of(sent));
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 7, 20, 37, 38})
    void cutOffSecret_isMasked(int shown) {
        String before = "-".repeat(Excerpt.MAX_BYTES - shown);

        assertThat(read(before + SECRET)).isEqualTo(before + "******");
    }

    @Test
    void secretWithACutOffCharacter_isMasked() {
        String before = "-".repeat(Excerpt.MAX_BYTES - 9);

        assertThat(read(before + "Gr\u00fc\u00dfe-\u00fcber-alles", "Gr\u00fc\u00dfe-\u00fcber-alles"))
                .isEqualTo(before + "******");
    }

    @Test
    void wholeOrCutOffTicket_isMasked() {
        assertThat(read("to /answers/ticket-of-call.", "ticket-of-call")).isEqualTo("to /answers/******.");
        String before = "-".repeat(Excerpt.MAX_BYTES - 9);
        assertThat(read(before + "ticket-of-call", "ticket-of-call")).isEqualTo(before + "******");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"auth\":\"Bearer aB/cD+eF==\"}",
                "{\"auth\":\"Bearer aB\\/cD+eF==\"}",
                "{\"auth\":\"Bearer aB/cD\\u002BeF\\u003d\\u003D\"}",
                "auth=Bearer%20aB%2FcD%2beF%3D%3D",
                "<p>Bearer aB&#x2F;cD&#43;eF&#61;=</p>"
            })
    void secretInAnotherSpelling_isMasked(String body) {
        Excerpt ofToken = new Excerpt(List.of("Bearer aB/cD+eF=="));

        assertThat(ofToken.read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), List.of()))
                .contains("******")
                .doesNotContain("aB", "cD", "eF");
    }

    @Test
    void wholeBody_keepsAWordThatIsTheBeginningOfASecret() {
        assertThat(read("It begins with whsec_")).isEqualTo("It begins with whsec_");
    }

    @Test
    void pathAndQueryValuesOfAUrl_areSecrets() {
        assertThat(TargetUrl.parse("billing", "https://a.example.com/bot/t%20ken-1?key=v%C3%A4lue-1&plain-1&b=", false)
                        .secrets())
                .contains(
                        "/bot/t%20ken-1",
                        "/bot/t ken-1", "t%20ken-1", "t ken-1", "v%C3%A4lue-1", "v\u00e4lue-1", "plain-1")
                .doesNotContain("a.example.com", "key");
    }
}
