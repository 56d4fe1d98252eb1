package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.NamedJobs;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Which jobs an application gets that has jobs of its own, the client of a server, or both. */
class BothStartersTest {

    private static final String SERVER = "delayjob.client.url=https://jobs.example.com/delayjob/v1";

    private final ApplicationContextRunner client = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobClientAutoConfiguration.class,
                    HttpClientAutoConfiguration.class,
                    RestClientAutoConfiguration.class));

    private final ApplicationContextRunner both = client.withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory", "delayjob.worker.enabled=false");

    @Test
    void clientAlone_isTheNamedJobs() {
        client.withPropertyValues(SERVER)
                .run(context -> assertThat(context.getBean(NamedJobs.class)).isInstanceOf(RemoteJobs.class));
    }

    @Test
    void ownJobsAlone_areTheNamedJobs() {
        both.run(context -> assertThat(context).hasSingleBean(NamedJobs.class));
    }

    @Test
    void bothInOneApplication_areInjectedByNameAndWithout() {
        both.withPropertyValues(SERVER).withUserConfiguration(Both.class).run(context -> {
            Both injected = context.getBean(Both.class);

            assertThat(injected.own).isSameAs(context.getBean(DelayJobOperations.class));
            assertThat(injected.remote).isInstanceOf(RemoteJobs.class);
            assertThat(context).hasSingleBean(Answers.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Both {

        private final NamedJobs own;
        private final NamedJobs remote;

        Both(NamedJobs own, @Qualifier("delayJobRemoteJobs") NamedJobs remote) {
            this.own = own;
            this.remote = remote;
        }
    }
}
