package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.redis.TestRedisSentinel;
import io.delayjob.redis.TestRedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Applications whose Redis is behind Sentinel, or behind TLS. */
class RedisPlacesApplicationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "jobs";

    @TempDir
    private Path directory;

    private static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "delayjob.store=redis", "spring.data.redis.timeout=2s", "spring.data.redis.connect-timeout=2s")
                .properties(properties)
                .run();
    }

    private static void assertRuns(ConfigurableApplicationContext application, int from) {
        DelayJobOperations jobs = application.getBean(DelayJobOperations.class);
        Counter counter = application.getBean(Counter.class);
        jobs.schedule(Counter::count)
                .withEach(IntStream.range(from, from + 50).boxed().toList())
                .now();

        await().atMost(PATIENCE)
                .until(() -> counter.counted.containsAll(
                        IntStream.range(from, from + 50).boxed().toList()));
    }

    @Test
    void behindSentinel_jobsRun_beforeAndAfterAFailover() {
        try (TestRedisServer master = TestRedisServer.start("--appendonly", "yes");
                TestRedisServer replica = TestRedisServer.startReplica("127.0.0.1", master.port());
                TestRedisSentinel sentinel = TestRedisSentinel.watch(master, Duration.ofSeconds(1));
                ConfigurableApplicationContext application = start(
                        "spring.data.redis.sentinel.master=" + TestRedisSentinel.MASTER,
                        "spring.data.redis.sentinel.nodes=127.0.0.1:" + sentinel.port())) {
            assertRuns(application, 0);
            sentinel.awaitReplicas(1);

            master.kill();

            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                application
                        .getBean(DelayJobOperations.class)
                        .schedule(Counter::count)
                        .with(1_000)
                        .now();
                return true;
            });
            assertRuns(application, 100);
            assertThat(replica.pid()).isPositive();
        }
    }

    @Test
    void overTls_jobsRun() throws Exception {
        Path certificate = directory.resolve("redis.crt");
        Path key = directory.resolve("redis.key");
        makeCertificate(certificate, key);
        try (TestRedisServer server = TestRedisServer.startWithTls(certificate, key);
                ConfigurableApplicationContext application = start(
                        "spring.data.redis.host=localhost",
                        "spring.data.redis.port=" + server.port(),
                        "spring.data.redis.ssl.bundle=jobs",
                        "spring.ssl.bundle.pem.jobs.truststore.certificate=file:" + certificate)) {
            assertRuns(application, 0);
        }
    }

    /** Makes a certificate that is its own authority, and its key. */
    private void makeCertificate(Path certificate, Path key)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = directory.resolve("redis.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "RSA",
                        "-validity",
                        "2",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        write(certificate, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
        write(key, "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    }

    private static void write(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(file, "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(what, text));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    @Import(Counter.class)
    static class Application {}

    static class Counter {

        private final Set<Integer> counted = new ConcurrentSkipListSet<>();

        @DelayedJob("count")
        void count(int number) {
            counted.add(number);
        }
    }
}
