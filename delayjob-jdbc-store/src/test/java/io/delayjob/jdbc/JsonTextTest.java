package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    private static final UUID ID = UUID.fromString("0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001");
    private static final UUID OTHER = UUID.fromString("0190aaaa-bbbb-7ccc-8ddd-eeeeffff0002");

    private static Parameters text(@Nullable String text) {
        return Parameters.none().texts("text", Arrays.asList(text), value -> value);
    }

    @Test
    void batch_isAnArrayOfObjects() {
        Parameters parameters = Parameters.none()
                .uuids("id", List.of(ID, OTHER), id -> id)
                .longs("token", List.of(ID, OTHER), id -> id == ID ? Long.MIN_VALUE : null)
                .booleans("keep", List.of(ID, OTHER), id -> id == ID);

        assertThat(parameters.value("batch")).isEqualTo("""
                [{"id":"0190aaaabbbb7ccc8dddeeeeffff0001","token":-9223372036854775808,"keep":1},\
                {"id":"0190aaaabbbb7ccc8dddeeeeffff0002","keep":0}]""");
    }

    @Test
    void lockedRows_areThoseOfTheBatchWhoseIdsAreLocked() {
        Parameters parameters = Parameters.none()
                .uuids("id", List.of(ID, OTHER), id -> id)
                .ints("run", List.of(ID, OTHER), id -> id == ID ? 1 : 2);

        assertThat(parameters.locked(List.of(OTHER)).value("lockedRows"))
                .isEqualTo("[{\"id\":\"0190aaaabbbb7ccc8dddeeeeffff0002\",\"run\":2}]");
        assertThat(parameters.locked(List.of(OTHER, ID)).value("lockedRows")).isEqualTo(parameters.value("batch"));
    }

    @Test
    void list_isAnArray() {
        assertThat(JsonText.array(Column.of("varchar", List.of("a", "b"), name -> name)))
                .isEqualTo("[\"a\",\"b\"]");
        assertThat(JsonText.array(Column.of("uuid", List.of(), name -> name))).isEqualTo("[]");
    }

    @Test
    void text_isEscapedWhereItMustBe() {
        assertThat(text("say \"hi\" \\ \u0000\n\u001f end: \uD83D\uDE00 ä").value("batch"))
                .isEqualTo("[{\"text\":\"say \\\"hi\\\" \\\\ \\u0000\\u000a\\u001f end: \uD83D\uDE00 ä\"}]");
    }

    @Test
    void missingText_isLeftOut() {
        assertThat(text(null).value("batch")).isEqualTo("[{}]");
    }
}
