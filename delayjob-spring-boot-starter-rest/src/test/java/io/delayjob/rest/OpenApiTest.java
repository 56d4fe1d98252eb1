package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The description says what springdoc reads off the controllers, and the records say what it says about bodies. */
class OpenApiTest {

    private static final String ROOT = "/delayjob/v1";

    private final JsonNode description = JsonMapper.builder().build().readTree(checkedIn());

    private static String checkedIn() {
        try {
            return new ClassPathResource("openapi.json", OtherPaths.class).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException missing) {
            throw new AssertionError(missing);
        }
    }

    @Test
    void description_hasThePathsMethodsAndParametersOfTheControllers() {
        try (ApiServer server = ApiServer.start(
                ApiServer.ANSWERS, "springdoc.api-docs.path=/docs", "springdoc.paths-to-match=" + ROOT + "/**")) {
            JsonNode generated = server.get("all", "/docs").json();

            assertThat(operations(description, "")).containsExactlyInAnyOrderEntriesOf(operations(generated, ROOT));
            assertThat(server.get("reader", ROOT + "/openapi.json").text()).isEqualTo(checkedIn());
        }
    }

    /** Returns the parameters of each method of each path. */
    private static Map<String, Set<String>> operations(JsonNode api, String prefix) {
        Map<String, Set<String>> operations = new TreeMap<>();
        api.path("paths").properties().forEach(path -> {
            if (path.getKey().startsWith(prefix) && !path.getKey().endsWith("/**")) {
                path.getValue().properties().forEach(operation -> {
                    Set<String> parameters = new TreeSet<>();
                    for (JsonNode parameter : operation.getValue().path("parameters")) {
                        parameters.add("%s %s %s"
                                .formatted(
                                        parameter.path("in").asString(),
                                        parameter.path("name").asString(),
                                        parameter.path("required").asBoolean() ? "required" : "optional"));
                    }
                    JsonNode body = operation.getValue().path("requestBody");
                    if (!body.isMissingNode()) {
                        parameters.add("body " + body.findValue("$ref").asString());
                    }
                    operations.put(operation.getKey() + " " + path.getKey().substring(prefix.length()), parameters);
                });
            }
        });
        return operations;
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                AnswerRequest.class,
                AnsweredJob.class,
                CancelledGroup.class,
                ClosedGroup.class,
                GroupView.class,
                GroupsView.class,
                JobRequest.class,
                FollowingJob.class,
                TimeRequest.class,
                SubmittedJob.class,
                ChangedJob.class,
                CancelledJob.class,
                JobView.class,
                JobsView.class,
                Problem.class,
                WaitingJob.class,
                WaitingJobRequest.class
            })
    void schemas_haveTheFieldsOfTheRecords(Class<?> body) {
        JsonNode schema = description.path("components").path("schemas").path(body.getSimpleName());

        Set<String> fields = new TreeSet<>();
        schema.path("properties").properties().forEach(field -> {
            fields.add(field.getKey());
            RecordComponent component = Arrays.stream(body.getRecordComponents())
                    .filter(each -> each.getName().equals(field.getKey()))
                    .findAny()
                    .orElseThrow();
            JsonNode values = field.getValue().has("$ref")
                    ? description
                            .path("components")
                            .path("schemas")
                            .path("JobState")
                            .path("enum")
                    : field.getValue().path("enum");
            if (component.getType().isEnum()) {
                assertThat(values.toString())
                        .as("%s.%s", body.getSimpleName(), field.getKey())
                        .isEqualTo("[\"" + String.join("\",\"", names(component.getType())) + "\"]");
            }
        });
        assertThat(fields)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(body.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList());
    }

    private static String[] names(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(Object::toString).toArray(String[]::new);
    }
}
