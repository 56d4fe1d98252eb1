package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobOperations;
import io.delayjob.actuate.endpoint.EndpointApplication.Ends;
import io.delayjob.actuate.endpoint.EndpointApplication.Orders;
import io.delayjob.store.JobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.util.ClassUtils;

/** A store that answers none of many viewers, while it still answers the engine. */
@SpringBootTest(
        classes = EndpointApplication.class,
        properties = {"delayjob.store=memory", "management.endpoints.web.exposure.include=delayjobs"})
@AutoConfigureMockMvc
@Import(ManyViewersTest.StoreThatIsSlowForViewers.class)
class ManyViewersTest {

    private static final int VIEWERS = 20;

    /** Two pages, the summary of the pulse, and the jobs around now. */
    private static final int READS_AT_A_TIME = ReadGate.AT_A_TIME + 2;

    private static final List<String> READS = List.of(
            "",
            "/jobs",
            "/jobs?state=FAILED",
            "/around",
            "/pulse",
            "/minutes",
            "/due",
            "/failures",
            "/handlers",
            "/queues",
            "/instances");

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private Orders orders;

    @Autowired
    private Ends ends;

    @Autowired
    private StoreThatIsSlowForViewers store;

    @Test
    void viewersOfEachPage_occupyFewConnections_andNoSlotOfAHandler() throws Exception {
        orders.fails = false;
        ExecutorService threads =
                Executors.newCachedThreadPool(task -> new Thread(task, StoreThatIsSlowForViewers.VIEWER));
        List<CompletableFuture<Void>> requests = new ArrayList<>();
        for (int viewer = 0; viewer < VIEWERS; viewer++) {
            for (String read : READS) {
                requests.add(CompletableFuture.runAsync(
                        () -> mvc.get().uri("/actuator/delayjobs" + read).exchange(), threads));
            }
        }
        try {
            await("the end of each request, or its wait for the store")
                    .atMost(Duration.ofSeconds(60))
                    .until(() ->
                            requests.stream().filter(CompletableFuture::isDone).count() + store.waiting.get()
                                    == requests.size());
            assertThat(store.waiting.get()).isBetween(1, READS_AT_A_TIME);
            ends.await(jobs.schedule(Orders::cancel).with(1L).now().id());
        } finally {
            store.answers.countDown();
            threads.shutdown();
        }
        for (CompletableFuture<Void> request : requests) {
            request.join();
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class StoreThatIsSlowForViewers implements BeanPostProcessor {

        static final String VIEWER = "viewer";

        final AtomicInteger waiting = new AtomicInteger();
        final CountDownLatch answers = new CountDownLatch(1);

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof JobStore ? slow(bean) : bean;
        }

        private Object slow(Object store) {
            return Proxy.newProxyInstance(
                    JobStore.class.getClassLoader(), ClassUtils.getAllInterfaces(store), (proxy, method, arguments) -> {
                        if (Thread.currentThread().getName().equals(VIEWER) && asksTheServer(method)) {
                            waiting.incrementAndGet();
                            answers.await();
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    });
        }

        private static boolean asksTheServer(Method method) {
            return method.getDeclaringClass() != Object.class && method.getDeclaringClass() != JobStore.class;
        }
    }
}
