package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page in docs has the properties of this module, and every property has a description for the IDE. */
class RestPropertiesTest {

    private static final String PREFIX = "rest.";
    private static final Pattern SHOWN = Pattern.compile("(?m)^((?:delayjob\\.rest|spring\\.security)\\.[a-z.-]+)=");
    private static final Pattern KEY = Pattern.compile("`([a-z.-]+)`");

    @Test
    void page_namesEveryProperty() throws IOException {
        Set<String> documented = new TreeSet<>();
        List<String> lines = Files.readAllLines(Path.of("../docs/rest.md"));
        for (String line : lines) {
            if (line.startsWith("| `" + PREFIX)) {
                String last = "";
                Matcher key = KEY.matcher(line.split("\\|")[1]);
                while (key.find()) {
                    last = key.group(1).startsWith(".")
                            ? last.substring(0, last.lastIndexOf('.')) + key.group(1)
                            : key.group(1);
                    documented.add("delayjob." + last);
                }
            }
        }
        JsonNode metadata = JsonMapper.builder()
                .build()
                .readTree(Path.of("target/classes/META-INF/spring-configuration-metadata.json"));
        Set<String> known = new TreeSet<>();
        for (JsonNode property : metadata.path("properties")) {
            known.add(property.path("name").asString());
            assertThat(property.path("description").asString(""))
                    .as(property.path("name").asString())
                    .isNotBlank();
        }
        assertThat(documented).isEqualTo(known);
    }

    @Test
    void page_showsKnownProperties() throws IOException {
        Set<String> known = new TreeSet<>();
        for (URL metadata : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream file = metadata.openStream()) {
                for (JsonNode property :
                        JsonMapper.builder().build().readTree(file).path("properties")) {
                    known.add(property.path("name").asString());
                }
            }
        }
        assertThat(SHOWN.matcher(Files.readString(Path.of("../docs/rest.md"))).results())
                .isNotEmpty()
                .extracting(key -> key.group(1))
                .isSubsetOf(known);
    }
}
