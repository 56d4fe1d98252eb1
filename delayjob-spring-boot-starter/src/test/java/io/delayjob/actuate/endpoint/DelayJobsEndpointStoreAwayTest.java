package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.util.ClassUtils;

/** The engine keeps its store; only calls of the thread that asks the endpoint get no answer from it. */
@SpringBootTest(
        classes = EndpointApplication.class,
        properties = {"delayjob.store=memory", "management.endpoints.web.exposure.include=delayjobs"})
@AutoConfigureMockMvc
@Import(DelayJobsEndpointStoreAwayTest.StoreThatGoesAway.class)
class DelayJobsEndpointStoreAwayTest {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private StoreThatGoesAway away;

    @AfterEach
    void storeIsBack() {
        away.failure.remove();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/jobs", "/handlers", "/queues", "/instances"})
    void request_whileTheStoreIsOutOfReach_isAnswered503WithTheReason(String path) {
        away.failure.set(StoreException.unavailable("The database does not answer.", new RuntimeException()));
        assertThat(get(path))
                .hasStatus(503)
                .hasHeader("Retry-After", "2")
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo("The database does not answer.");
    }

    @Test
    void summary_thatTheStoreRefuses_isAnswered500WithTheReason() {
        away.failure.set(StoreException.refused("The table is missing.", new RuntimeException()));
        assertThat(get(""))
                .hasStatus(500)
                .doesNotContainHeader("Retry-After")
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo("The table is missing.");
    }

    private MvcTestResult get(String path) {
        return mvc.get().uri("/actuator/delayjobs" + path).exchange();
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class StoreThatGoesAway implements BeanPostProcessor {

        final ThreadLocal<StoreException> failure = new ThreadLocal<>();

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof JobStore ? goingAway(bean) : bean;
        }

        private Object goingAway(Object store) {
            return Proxy.newProxyInstance(
                    JobStore.class.getClassLoader(), ClassUtils.getAllInterfaces(store), (proxy, method, arguments) -> {
                        if (failure.get() != null) {
                            throw failure.get();
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    });
        }
    }
}
