package io.delayjob.client;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.NamedJobs;
import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.store.StoreException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

/** The same over HTTP, as the starter configures it, and what only HTTP can bring. */
class RemoteNamedJobsTest extends NamedJobsContract {

    private NamedJobs jobs;

    static void client(URI url, ContextConsumer<AssertableApplicationContext> use, String... properties) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HttpClientAutoConfiguration.class,
                        RestClientAutoConfiguration.class,
                        DelayJobClientAutoConfiguration.class))
                .withPropertyValues(
                        "delayjob.client.url=" + url,
                        "delayjob.client.insecure=true",
                        "delayjob.client.username=shop",
                        "delayjob.client.password=s3cret")
                .withPropertyValues(properties)
                .run(use);
    }

    @Override
    NamedJobs jobs() {
        if (jobs == null) {
            client(server.url(), context -> jobs = context.getBean(NamedJobs.class));
        }
        return jobs;
    }

    @Test
    void requestWithoutAnswer_isRepeated_andMakesOneJob() throws Exception {
        int before = server.jobs().size();
        try (SpoilingProxy proxy = new SpoilingProxy(server.url(), 3)) {
            client(proxy.url(), context -> {
                JobId id = context.getBean(NamedJobs.class)
                        .schedule("remind")
                        .with(Map.of("orderId", 5))
                        .after(ofHours(1))
                        .id();

                assertThat(proxy.keys()).hasSize(4).containsOnly(id.toString());
                assertThat(id.value().version()).isEqualTo(7);
                assertThat(server.jobs()).hasSize(before + 1);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = OnExisting.class,
            names = {"REPLACE", "POSTPONE"})
    void changeOfAJobByItsKey_hasNoIdAndIsSentOnce(OnExisting change) throws Exception {
        try (SpoilingProxy proxy = new SpoilingProxy(server.url(), 1)) {
            client(
                    proxy.url(),
                    context -> assertThatThrownBy(() -> context.getBean(NamedJobs.class)
                                    .schedule("elsewhere")
                                    .key("once", change)
                                    .after(ofHours(1)))
                            .isInstanceOfSatisfying(
                                    StoreException.class,
                                    outage -> assertThat(outage.isTransient()).isTrue()));
            assertThat(proxy.keys()).containsExactly("null");
        }
    }

    @Test
    void serverThatNeverAnswers_isAnOutageOfTheStore() throws Exception {
        try (SpoilingProxy proxy = new SpoilingProxy(server.url(), Integer.MAX_VALUE)) {
            client(
                    proxy.url(),
                    context -> assertThatThrownBy(() -> context.getBean(NamedJobs.class)
                                    .schedule("elsewhere")
                                    .after(ofHours(1)))
                            .isInstanceOfSatisfying(
                                    StoreException.class,
                                    outage -> assertThat(outage.isTransient()).isTrue())
                            .hasMessageContaining("delayjob server did not answer"),
                    "delayjob.client.retries=1");
            assertThat(proxy.keys()).hasSize(2);
        }
    }

    @Test
    void wrongPassword_isRefusedAndNotTriedAgain() {
        client(
                server.url(),
                context -> assertThatThrownBy(() -> context.getBean(NamedJobs.class)
                                .schedule("elsewhere")
                                .after(ofHours(1)))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                refused -> assertThat(refused.isTransient()).isFalse())
                        .hasMessageContaining("status 401"),
                "delayjob.client.password=wrong");
    }

    @Test
    void nameThatIsNotExposed_isRefused() {
        assertThatThrownBy(() -> jobs().schedule("hidden").now())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No handler 'hidden' is exposed");
    }

    @Test
    void chain_takesOnlyExposedNames_andNoMethodReference() {
        assertThatThrownBy(() -> jobs().schedule("elsewhere").then("hidden").now())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No handler 'hidden' is exposed");
        assertThatThrownBy(() -> jobs().schedule("elsewhere")
                        .then(JobServer.Shop::remind)
                        .with(1L)
                        .now())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be a name, because the handlers are in the server");
    }

    /** It has no handlers, and must not say that one is missing. */
    @Test
    void argumentsWithoutNames_areRefused_becauseOnlyTheServerKnowsTheirOrder() {
        assertThatThrownBy(() -> jobs().schedule("remind").with(List.of(42)).now())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Unnamed arguments for 'remind': must have names, because only the server knows the order of the handler's parameters; pass them as a map.");
    }

    @Test
    void plainHttp_mustBeAskedFor_andNoSecretIsPrinted() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RestClientAutoConfiguration.class, DelayJobClientAutoConfiguration.class))
                .withPropertyValues("delayjob.client.url=http://jobs.example.com/delayjob/v1")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("must begin with https"));
        client(
                server.url(),
                context -> assertThat(context.getBean(ClientProperties.class).toString())
                        .doesNotContain("s3cret"));
    }
}
