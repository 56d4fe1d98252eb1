package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.HandlerRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** The guide of targets: an application starts with what it shows, and it names every property. */
class GuideTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static String guide() throws Exception {
        return Files.readString(Path.of("../docs/targets.md"));
    }

    @Test
    void shownProperties_makeTargets() throws Exception {
        String[] properties = Pattern.compile("```properties\n(.*?)```", Pattern.DOTALL)
                .matcher(guide())
                .results()
                .map(block -> block.group(1))
                .flatMap(String::lines)
                .toArray(String[]::new);
        VirtualEngine.contexts()
                .withPropertyValues(properties)
                .withPropertyValues("BILLING_SECRET=" + SECRET, "ANSWERS_SECRET=" + SECRET)
                .run(context -> assertThat(
                                context.getBean(HandlerRegistry.class).names())
                        .containsExactly("billing", "exports"));
    }

    @Test
    void everyProperty_isInBothTablesOfTheGuides() throws Exception {
        List<String> keys = Stream.of(HttpTargetProperties.class.getRecordComponents())
                .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
                .toList();
        String table = guide().substring(guide().indexOf("## Properties"), guide().indexOf("## Edge cases"));
        assertThat(Pattern.compile("`([a-z-]+)(?:\\[<Name>])?`[ ,]")
                        .matcher(table.lines()
                                .filter(line -> line.startsWith("| `"))
                                .map(line -> line.substring(0, line.indexOf('|', 1)) + "\n")
                                .reduce("", String::concat))
                        .results()
                        .map((MatchResult key) -> key.group(1)))
                .containsExactlyInAnyOrderElementsOf(keys);
        String row = Files.readAllLines(Path.of("../docs/configuration.md")).stream()
                .filter(line -> line.startsWith("| `targets.<name>.http."))
                .findFirst()
                .orElseThrow();
        assertThat(keys).allSatisfy(key -> assertThat(row).contains("." + key + "`"));
    }
}
