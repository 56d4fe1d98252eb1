package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redis.TestRedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The guide to Redis leads on from the README's project, here without any database. */
@Execution(ExecutionMode.CONCURRENT) // processes of its own
class RedisPathTest {

    private static final Page PATH = Page.of("docs/redis.md").section("Set up");
    private static final String TEST = "src/test/java/com/example/demo/GreeterTest.java";

    @TempDir
    private Path directory;

    @Test
    void guide_leadsFromTheReadmesProjectToJobsInRedis() throws Exception {
        EmptyProject project = new EmptyProject(directory);
        project.follow(StrangersPathTest.PATH);
        project.follow(PATH);
        String inMemory = PATH.blocks("java").get(0).code().lines().findFirst().orElseThrow();
        project.change(TEST, "@SpringBootTest", inMemory);

        try (TestRedisServer redis = TestRedisServer.start(options());
                RunningProgram maven =
                        project.testAndRun("--server.port=0", "--spring.data.redis.port=" + redis.port())) {
            maven.awaitText(Pattern.compile("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0"));
            int port = Integer.parseInt(maven.awaitText(EmptyProject.OPEN).group(1));
            List<CurlSession.Command> session = CurlSession.of(PATH);
            assertThat(session).hasSize(2);
            assertThat(session.get(0).send(port, "").statusCode()).isEqualTo(200);
            assertThat(keys(redis)).anyMatch(key -> key.startsWith("delayjob"));
            maven.awaitText(Pattern.compile("Hello, Ann"));
            await().atMost(ShopClient.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(session.get(1).send(port, "").body()).contains("\"state\":\"FINISHED\""));
        }
    }

    /** Returns the lines of {@code redis.conf} as options on the command line. */
    private static String[] options() {
        return PATH.blocks("conf").stream()
                .flatMap(block -> block.code().lines())
                .flatMap(line -> List.of(("--" + line).split(" ")).stream())
                .toArray(String[]::new);
    }

    private static List<String> keys(TestRedisServer redis) {
        RedisClient client = RedisClient.create(redis.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().keys("*");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ZERO);
        }
    }
}
