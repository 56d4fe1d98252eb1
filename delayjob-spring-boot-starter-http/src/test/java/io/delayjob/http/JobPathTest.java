package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a job states as a path, the call goes below the target's URL or nowhere. */
class JobPathTest {

    private static final TargetUrl TARGET =
            TargetUrl.parse("billing", "https://billing.example.com:8443/api/v1?k=1", false);
    private static final String BELOW = "/api/v1/";

    @ParameterizedTest
    @CsvSource({
        "/, /api/v1/",
        "/remind, /api/v1/remind",
        "/remind/, /api/v1/remind/",
        "/orders/42/lines:7, /api/v1/orders/42/lines:7",
        "/a b, /api/v1/a%20b",
        "/a%20b, /api/v1/a%20b",
        "/grün, /api/v1/gr%C3%BCn",
        "/gr%C3%BCn, /api/v1/gr%C3%BCn",
        "/😀, /api/v1/%F0%9F%98%80",
        "/me@example.com, /api/v1/me@example.com",
        "/file.tar.gz, /api/v1/file.tar.gz",
        "/..hidden, /api/v1/..hidden",
        "/what%3F, /api/v1/what%3F",
        "/a%23b, /api/v1/a%23b"
    })
    void plainPath_isPutBelowTheTarget(String path, String sent) {
        assertThat(TARGET.resolve(path).toString()).isEqualTo("https://billing.example.com:8443" + sent + "?k=1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "remind",
                "..",
                "/..",
                "/.",
                "/../admin",
                "/a/../../admin",
                "/a/./b",
                "/a/..",
                "//evil.example.com",
                "/a//b",
                "///",
                "https://evil.example.com/",
                "http:/evil",
                "//me@evil.example.com/",
                "me@evil.example.com",
                "@evil.example.com",
                ":80",
                "\\\\evil",
                "/\\evil",
                "/a\\..\\b",
                "/%2e%2e/admin",
                "/%2E%2e",
                "/.%2e/x",
                "/%2e",
                "/%252e%252e/admin",
                "/%2f",
                "/a%2Fb",
                "/%5c",
                "/%00",
                "/a%0d%0aHost:b",
                "/a\r\nb",
                "/a\tb",
                "/a\u0000",
                "/%7f",
                "/%c0%ae%c0%ae/admin",
                "/%e0%80%ae",
                "/%ff",
                "/%",
                "/%2",
                "/%zz",
                "/%u002e",
                "/..;/admin",
                "/a;x=1",
                "/%3b",
                "/a?b",
                "/a#b",
                "/ ",
                "/..%20",
                "/ ..",
                "/...",
                "/\uff0e\uff0e/admin",
                "/%ef%bc%8e%ef%bc%8e",
                "/a\uff0fb",
                "/\u2024\u2024",
                "/\u202e",
                "/\u200b",
                "/\ud800",
                "/\u2028",
                "/\u0085",
                "/a\uff05b",
                "/\ufe52\ufe52",
                "/\u2026",
                "/%\uff12\uff15"
            })
    void pathsThatLeaveTheTarget_areRefused(String path) {
        assertThatThrownBy(() -> TARGET.resolve(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the path must");
        if (path.startsWith("/")) {
            assertThatThrownBy(() -> TARGET.resolve("/ok" + path + "/x")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Property(tries = 20_000)
    void randomSpellings_neverLeaveTheTarget(@ForAll("paths") String path) {
        URI sent;
        try {
            sent = TARGET.resolve(path);
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).startsWith("the path must");
            return;
        }
        assertThat(sent.getScheme()).isEqualTo("https");
        assertThat(sent.getRawAuthority()).isEqualTo("billing.example.com:8443");
        assertThat(sent.getRawQuery()).isEqualTo("k=1");
        assertThat(sent.getRawFragment()).isNull();
        assertThat(sent.toString()).matches("[!-~]+").doesNotContain("\\");
        // However often a server decodes, folds and normalizes.
        String read = sent.getRawPath();
        for (int times = 0; times < 3; times++) {
            assertThat(URI.create("https://x" + encode(read)).normalize().getPath())
                    .startsWith(BELOW);
            assertThat(List.of(read.split("/"))).doesNotContain("..", ".");
            assertThat(read.substring(1)).doesNotContain("//");
            read = java.text.Normalizer.normalize(decode(read), java.text.Normalizer.Form.NFKC);
        }
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String encode(String path) {
        return org.springframework.web.util.UriUtils.encodePath(path, StandardCharsets.UTF_8);
    }

    /** Spellings that have led out of paths before, in any order, and any other characters. */
    @Provide
    Arbitrary<String> paths() {
        Arbitrary<String> known = Arbitraries.of(
                "/",
                "//",
                ".",
                "..",
                "%2e",
                "%2E",
                "%2f",
                "%5c",
                "\\",
                "%25",
                "%",
                "%00",
                "%0d%0a",
                "\r",
                "\n",
                "\0",
                ";",
                "?",
                "#",
                "@",
                ":",
                "http://",
                "https:",
                "%c0%ae",
                "%e0%80%af",
                "\uff0e",
                "\uff0f",
                "\u2024",
                "\u2215",
                "\u202e",
                "\ud83d",
                "😀",
                "%u002e",
                "a",
                "admin",
                " ",
                "%20",
                "+",
                "é",
                "%C3%A9",
                "~",
                "*",
                "[",
                "]",
                "{",
                "}",
                "|",
                "^");
        Arbitrary<String> any = Arbitraries.strings().all().ofMaxLength(4);
        Arbitrary<String> ascii = Arbitraries.strings().ascii().ofMaxLength(6);
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(6, known),
                        net.jqwik.api.Tuple.of(1, any),
                        net.jqwik.api.Tuple.of(1, ascii))
                .list()
                .ofMaxSize(8)
                .map(parts -> String.join("", parts))
                .flatMap(path -> Arbitraries.of(path, "/" + path));
    }
}
