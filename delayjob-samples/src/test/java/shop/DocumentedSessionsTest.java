package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the pages tell to type works, and is answered as they show. */
class DocumentedSessionsTest {

    /** Fields whose values a page states for good; ids and times are examples. */
    private static final Set<String> FIXED = Set.of("name", "queue", "state", "status", "result", "reason");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private static Path directory;

    private static RunningShop shop;

    @BeforeAll
    static void open() throws Exception {
        shop = RunningShop.start(directory, "--shop.payment-window=30m");
        ShopClient client = shop.enter();
        Order first = client.place();
        String id = jobs("").get("jobs").get(0).get("id").asString();
        HttpResponse<String> run = new CurlSession.Command(
                        "curl -X POST -H 'Content-Type: application/json' -d '{\"action\":\"run\"}' localhost:8080/actuator/delayjobs/jobs/<id>",
                        0,
                        "")
                .send(shop.port(), id);
        assertThat(run.statusCode()).isEqualTo(200);
        client.awaitEnd(first);
    }

    private static JsonNode jobs(String query) throws Exception {
        return JSON.readTree(new CurlSession.Command(
                        "curl localhost:8080/actuator/delayjobs/jobs?name=cancel-unpaid-order" + query, 0, "")
                .send(shop.port(), "")
                .body());
    }

    @AfterAll
    static void close() throws Exception {
        shop.close();
    }

    @ParameterizedTest
    @CsvSource({
        "README.md, The sample, 4",
        "docs/operations.md, Endpoint, 10",
        "docs/operations.md, Pause and resume, 7"
    })
    void session_goesAsThePageShows(String page, String section, int commands) throws Exception {
        List<CurlSession.Command> session = CurlSession.of(Page.of(page).section(section));
        assertThat(session).hasSize(commands);
        String id = "";
        for (CurlSession.Command command : session) {
            HttpResponse<String> answer = command.send(shop.port(), id);
            if (command.status() == 0) {
                assertThat(answer.statusCode()).as(command.line()).isBetween(200, 299);
            } else {
                assertThat(answer.statusCode()).as(command.line()).isEqualTo(command.status());
            }
            JsonNode body = JSON.readTree(answer.body());
            if (!command.answer().isEmpty()) {
                assertAlike(command.line(), JSON.readTree(command.answer()), body);
            }
            id = body.path("jobs").path(0).path("id").asString(id);
        }
    }

    /** The same fields all the way down; of lists the first element. */
    private static void assertAlike(String place, JsonNode shown, JsonNode answered) {
        assertThat(answered.getNodeType()).as(place).isEqualTo(shown.getNodeType());
        if (shown.isObject()) {
            assertThat(new TreeSet<>(answered.propertyNames()))
                    .as(place)
                    .isEqualTo(new TreeSet<>(shown.propertyNames()));
            for (String name : shown.propertyNames()) {
                assertAlike(place + " " + name, shown.get(name), answered.get(name));
                if (FIXED.contains(name)) {
                    assertThat(answered.get(name)).as(place).isEqualTo(shown.get(name));
                }
            }
        } else if (shown.isArray() && !shown.isEmpty()) {
            assertThat(answered).as(place).isNotEmpty();
            assertAlike(place, shown.get(0), answered.get(0));
        }
    }
}
