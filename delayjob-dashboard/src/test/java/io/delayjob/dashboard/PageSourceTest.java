package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Rules over the sources of the page. */
class PageSourceTest {

    private static final Path SOURCES = Path.of("src/main/resources/io/delayjob/dashboard/ui");

    /** Of the jar's 120 kB, the rest is classes. */
    private static final int MOST_BYTES = 105_000;

    @Test
    void files_served_areThoseThatThereAre() throws IOException {
        TreeSet<String> served = new TreeSet<>(PageFile.all().keySet());
        assertThat(served.remove("")).isTrue();
        assertThat(served.remove("preact.module.js")).isTrue();
        try (Stream<Path> sources = Files.list(SOURCES)) {
            assertThat(served)
                    .isEqualTo(sources.map(file -> file.getFileName().toString())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    @Test
    void sources_neverParseTextAsHtmlOrScript() {
        assertThat(texts())
                .allSatisfy((name, text) -> assertThat(text)
                        .as(name)
                        .doesNotContain(
                                "innerHTML",
                                "dangerouslySetInnerHTML",
                                "insertAdjacentHTML",
                                "outerHTML",
                                "document.write")
                        .doesNotContain("eval(", "new Function", "javascript:"));
    }

    @Test
    void sources_nameNoOtherHostAndNoInlineStyle() {
        assertThat(texts())
                .allSatisfy((name, text) -> assertThat(text.replace("http://www.w3.org/2000/svg", ""))
                        .as(name)
                        .doesNotContain("http://", "https://", "style=", "<style", "@import", "url("));
    }

    /** An absolute path would leave the context path or the prefix of a proxy. */
    @Test
    void sources_askForRelativePathsOnly() {
        assertThat(texts())
                .allSatisfy((name, text) -> assertThat(text)
                        .as(name)
                        .doesNotContainPattern("(href|src|from|fetch\\(|'GET',) ?=? ?['\"`]/"));
    }

    @Test
    void files_compressed_leaveTheJarSmall() throws IOException {
        int bytes = 0;
        for (PageFile file : PageFile.all().values()) {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (GZIPOutputStream zip = new GZIPOutputStream(compressed)) {
                zip.write(file.content());
            }
            bytes += compressed.size();
        }
        assertThat(bytes).isLessThan(MOST_BYTES);
    }

    private static Map<String, String> texts() {
        return PageFile.all().entrySet().stream()
                .filter(file -> !file.getKey().isEmpty() && !file.getKey().equals("preact.module.js"))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, file -> new String(file.getValue().content(), StandardCharsets.UTF_8)));
    }
}
