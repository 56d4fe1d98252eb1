package io.delayjob.client;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.JobGroup;
import io.delayjob.NamedJobs;
import io.delayjob.job.GroupState;
import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.store.StoreException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
            client(server().url(), context -> jobs = context.getBean(NamedJobs.class));
        }
        return jobs;
    }

    @Test
    void requestWithoutAnswer_isRepeated_andMakesOneJob() throws Exception {
        int before = server().jobs().size();
        try (SpoilingProxy proxy = new SpoilingProxy(server().url(), 3)) {
            client(proxy.url(), context -> {
                JobId id = context.getBean(NamedJobs.class)
                        .schedule("remind")
                        .with(Map.of("orderId", 5))
                        .after(ofHours(1))
                        .id();

                assertThat(proxy.keys()).hasSize(4).containsOnly(id.toString());
                assertThat(id.value().version()).isEqualTo(7);
                assertThat(server().jobs()).hasSize(before + 1);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = OnExisting.class,
            names = {"REPLACE", "POSTPONE"})
    void changeOfAJobByItsKey_hasNoIdAndIsSentOnce(OnExisting change) throws Exception {
        try (SpoilingProxy proxy = new SpoilingProxy(server().url(), 1)) {
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
        try (SpoilingProxy proxy = new SpoilingProxy(server().url(), Integer.MAX_VALUE)) {
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
                server().url(),
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

    @Test
    void requestsOfAGroupWithoutAnswer_areRepeated_andCountOnce() throws Exception {
        try (SpoilingProxy proxy = new SpoilingProxy(server().url(), 0)) {
            client(proxy.url(), context -> {
                NamedJobs spoiled = context.getBean(NamedJobs.class);
                JobGroup group = spoiled.group("import-" + UUID.randomUUID());
                proxy.spoil(2);
                group.add(spoiled.schedule("elsewhere"));
                proxy.spoil(1);
                group.whenAnyFails(spoiled.schedule("elsewhere"));
                proxy.spoil(3);
                JobId follower = group.whenAllEnded(spoiled.schedule("elsewhere"));
                proxy.spoil(1);

                assertThat(group.find().orElseThrow().counts().begun()).isEqualTo(1);
                assertThat(proxy.keys().subList(0, 3))
                        .containsOnly(proxy.keys().get(0))
                        .doesNotContain("null");
                assertThat(proxy.keys().subList(5, 9)).containsOnly(follower.toString());
                proxy.spoil(1);
                assertThat(group.cancel().skipped()).isZero();
                assertThat(group.find().orElseThrow().state()).isEqualTo(GroupState.CANCELLED);
            });
        }
    }

    @Test
    void closeOfAGroupWithoutAnswer_isNotRepeated() throws Exception {
        try (SpoilingProxy proxy = new SpoilingProxy(server().url(), 1)) {
            client(proxy.url(), context -> {
                JobGroup group = context.getBean(NamedJobs.class).group("import-" + UUID.randomUUID());

                assertThatThrownBy(group::close)
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                outage -> assertThat(outage.isTransient()).isTrue());

                assertThat(proxy.keys()).hasSize(1);
                assertThat(group.find().orElseThrow().state()).isNotEqualTo(GroupState.OPEN);
            });
        }
    }

    @Test
    void group_takesOnlyExposedNames_andJobsOfThisClient() {
        JobGroup group = jobs().group("import-" + UUID.randomUUID());

        assertThatThrownBy(() -> group.add(jobs().schedule("hidden")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No handler 'hidden' is exposed");
        assertThatThrownBy(() -> group.whenAllEnded(jobs().schedule("hidden")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No handler 'hidden' is exposed");
        assertThatThrownBy(() -> jobs().group("payroll").add(jobs().schedule("elsewhere")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No group 'payroll' is exposed");
        assertThat(jobs().group("payroll").find()).isEmpty();
        assertThatThrownBy(() -> jobs().group("import-a/b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("part of a path");
        for (ThrowingCallable foreign : List.<ThrowingCallable>of(
                () -> group.add(server().operations().schedule("elsewhere")),
                () -> group.add(
                        server().operations().schedule(JobServer.Shop::remind).withEach(List.of(1L))),
                () -> group.whenAllEnded(server().operations().schedule("elsewhere")),
                () -> group.whenAnyFails(server().operations().schedule("elsewhere")),
                () -> group.whenAllEnded(JobServer.Shop::sweep))) {
            assertThatThrownBy(foreign)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the group's own client begins by name");
        }
        assertThat(group.find()).isEmpty();
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
                server().url(),
                context -> assertThat(context.getBean(ClientProperties.class).toString())
                        .doesNotContain("s3cret"));
    }
}
