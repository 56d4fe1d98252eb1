package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page in docs has the properties of the API and of its client, and every property has a description for the IDE.
 */
class DocumentedPropertiesTest {

    private static final Path PAGE = Path.of("../docs/rest.md");
    private static final Pattern OURS = Pattern.compile("delayjob\\.(rest|client)\\..*");
    private static final Pattern SHOWN =
            Pattern.compile("(?m)^((?:delayjob\\.(?:rest|client)|spring\\.security)\\.[a-z.-]+)=");
    private static final Pattern KEY = Pattern.compile("`([a-z.-]+)`");

    /** The descriptions of all properties on the class path. */
    private final Map<String, String> known = known();

    private static Map<String, String> known() {
        Map<String, String> descriptions = new TreeMap<>();
        try {
            for (URL metadata : Collections.list(DocumentedPropertiesTest.class
                    .getClassLoader()
                    .getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream file = metadata.openStream()) {
                    for (JsonNode property :
                            JsonMapper.builder().build().readTree(file).path("properties")) {
                        descriptions.put(
                                property.path("name").asString(),
                                property.path("description").asString(""));
                    }
                }
            }
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
        return descriptions;
    }

    @Test
    void page_namesEveryProperty() throws IOException {
        Set<String> documented = new TreeSet<>();
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("| `rest.") || line.startsWith("| `client.")) {
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

        Map<String, String> ours = known.entrySet().stream()
                .filter(property -> OURS.matcher(property.getKey()).matches())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertThat(ours)
                .allSatisfy((name, description) -> assertThat(description).isNotBlank());
        assertThat(documented).isEqualTo(new TreeSet<>(ours.keySet()));
    }

    @Test
    void page_showsKnownProperties() throws IOException {
        assertThat(SHOWN.matcher(Files.readString(PAGE)).results())
                .isNotEmpty()
                .extracting(key -> key.group(1))
                .isSubsetOf(known.keySet());
    }
}
