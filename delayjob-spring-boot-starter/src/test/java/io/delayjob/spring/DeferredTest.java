package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.RETURNS_SELF;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.delayjob.DelayJobOperations;
import io.delayjob.NamedSpec;
import io.delayjob.annotation.Deferred;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.settings.EngineSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.expression.EvaluationException;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import tools.jackson.databind.json.JsonMapper;

class DeferredTest {

    private static final JobContext CONTEXT = new FakeContext();

    private final DelayJobOperations operations = mock(DelayJobOperations.class);
    private final NamedSpec spec = mock(NamedSpec.class, RETURNS_SELF);
    private final HandlerRegistry registry = new HandlerRegistry();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    private <T> T start(Class<T> bean, Class<?>... more) {
        given(operations.schedule(any(String.class))).willReturn(spec);
        given(spec.with(anyList())).willReturn(spec);
        context.registerBean(EngineSettings.class, () -> EngineSettings.defaults("test"));
        context.registerBean(HandlerRegistry.class, () -> registry);
        context.registerBean(PayloadCodec.class, () -> new JacksonPayloadCodec(new JsonMapper()));
        context.registerBean(DelayJobOperations.class, () -> operations);
        context.register(HandlerConfiguration.class, bean);
        if (more.length > 0) {
            context.register(more);
        }
        context.refresh();
        return context.getBean(bean);
    }

    private Object run(String handler, Object... arguments) throws Exception {
        return registry.find(handler).body().handle(List.of(arguments), CONTEXT);
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void call_schedules() throws Exception {
        Webhooks webhooks = start(Webhooks.class);
        webhooks.send(new Hook("http://a", 1));
        verify(operations).schedule("send-webhook");
        verify(spec).with(List.of(new Hook("http://a", 1)));
        verify(spec).queue("web");
        verify(spec).key("http://a");
        verify(spec).after(Duration.ofSeconds(5));
        assertThat(webhooks.calls()).isEmpty();
    }

    @Test
    void callWithoutDelayAndKey_schedulesAtOnce() {
        Webhooks webhooks = start(Webhooks.class);
        assertThat(webhooks.plain(3, null)).isNull();
        verify(operations).schedule("Webhooks.plain");
        verify(spec).with(List.of(3));
        verify(spec).after(Duration.ZERO);
        verify(spec, never()).key(any());
    }

    @Test
    void keyThatIsNull_isRefused() {
        Webhooks webhooks = start(Webhooks.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> webhooks.send(new Hook(null, 1)))
                .withMessageContaining("Invalid key of job 'send-webhook'")
                .withMessageContaining("#hook.url");
    }

    @Test
    void keyWithoutValue_isRefusedWithThePlace() {
        Webhooks webhooks = start(Webhooks.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> webhooks.send(null))
                .withMessageContaining("Handler method " + Webhooks.class.getName() + ".send cannot be scheduled")
                .withMessageContaining("the key '#hook.url' of its @Deferred has no value for this call (EL")
                .withCauseInstanceOf(EvaluationException.class);
    }

    @Test
    void keyOfPositionsAndNestedVariables_isEvaluated() {
        Positions positions = start(Positions.class);
        positions.send(List.of("a", "b"), 3);
        verify(spec).key("[b]3");
    }

    @Test
    void keyOfUnknownVariable_isRefusedAtStart() {
        assertThatExceptionOfType(InvalidHandlerException.class)
                .isThrownBy(() -> start(UnknownVariable.class))
                .withMessageContaining("Handler method " + UnknownVariable.class.getName() + ".send")
                .withMessageContaining("Invalid key '#hook.url + #nope.url': there is no #nope")
                .withMessageContaining("must use only the arguments [#hook, #number]");
    }

    @Test
    void call_ofTheEngine_passesThrough() throws Exception {
        Webhooks webhooks = start(Webhooks.class);
        assertThat(run("Webhooks.plain", 3)).isEqualTo(Next.stop());
        assertThat(webhooks.calls()).containsExactly("plain 3 1");
        verify(operations, never()).schedule(any(String.class));
    }

    @Test
    void call_ofTheEngine_passesOnlyOnce() throws Exception {
        Webhooks webhooks = start(Webhooks.class);
        run("again", 3);
        assertThat(webhooks.calls()).containsExactly("again 3");
        verify(operations).schedule("again");
        verify(spec).with(List.of(2));
        webhooks.again(9);
        verify(operations, times(2)).schedule("again");
    }

    @Test
    void interceptorsOfTheBean_workWithinTheJob() throws Exception {
        Retried retried = start(Retried.class, Resilience.class);
        retried.flaky();
        verify(operations).schedule("flaky");
        assertThat(Retried.calls).isEmpty();
        run("flaky");
        assertThat(Retried.calls).hasSize(3);
        verify(operations).schedule("flaky");
        Retried.calls.clear();
    }

    @Test
    void interceptorFurtherOut_mayRepeatTheEnginesCall() throws Exception {
        start(Retried.class, Outside.class);
        run("flaky");
        assertThat(Retried.calls).hasSize(3);
        verify(operations, never()).schedule(any(String.class));
        Retried.calls.clear();
    }

    @Test
    void failures_leaveNoPassBehind() {
        Retried retried = start(Retried.class);
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> run("flaky"));
        Retried.calls.clear();
        assertThat(catchNothing(retried)).isTrue();
        verify(operations).schedule("flaky");
        assertThat(Retried.calls).isEmpty();
    }

    private static boolean catchNothing(Retried retried) {
        try {
            retried.flaky();
            return true;
        } catch (IOException called) {
            return false;
        }
    }

    @Test
    void interfaceProxies_deferToo() throws Exception {
        context.getEnvironment().getSystemProperties().put("spring.aop.proxy-target-class", "false");
        try {
            start(SenderBean.class);
            context.getBean(Sender.class).send("x");
            verify(operations).schedule("interface");
            run("interface", "y");
            assertThat(SenderBean.sent).containsExactly("y");
        } finally {
            SenderBean.sent.clear();
            context.getEnvironment().getSystemProperties().remove("spring.aop.proxy-target-class");
        }
    }

    record Hook(String url, int number) {}

    static class Positions {
        @Deferred(name = "positions", key = "(#p0.?[#this == 'b']).toString() + #a1")
        public void send(List<String> texts, int number) {}
    }

    static class UnknownVariable {
        @Deferred(name = "unknown", key = "#hook.url + #nope.url")
        public void send(Hook hook, int number) {}
    }

    static class Webhooks {
        private final List<String> calls = new ArrayList<>();

        @Autowired
        @Lazy
        private Webhooks self;

        List<String> calls() {
            return calls;
        }

        @Deferred(name = "send-webhook", value = "5s", key = "#hook.url", queue = "web")
        public void send(Hook hook) throws IOException {
            calls.add("send " + hook);
        }

        @Deferred
        Next plain(int number, JobContext job) {
            calls.add("plain " + number + " " + job.run());
            return Next.stop();
        }

        @Deferred(name = "again")
        protected void again(int number) {
            calls.add("again " + number);
            self.again(number - 1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class Resilience {}

    static class Retried {
        static final List<String> calls = new ArrayList<>();

        @Deferred(name = "flaky")
        @Retryable(maxRetries = 3, delay = 0)
        public void flaky() throws IOException {
            calls.add("flaky");
            if (calls.size() < 3) {
                throw new IOException("not yet");
            }
        }
    }

    /** Puts itself before all other advice, after everybody else has. */
    static class Outside implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (bean instanceof Retried && bean instanceof Advised advised) {
                advised.addAdvice(0, (MethodInterceptor) call -> {
                    while (true) {
                        try {
                            return call instanceof org.springframework.aop.ProxyMethodInvocation again
                                    ? again.invocableClone().proceed()
                                    : call.proceed();
                        } catch (IOException once) {
                            assertThat(Retried.calls).hasSizeLessThan(3);
                        }
                    }
                });
            }
            return bean;
        }
    }

    interface Sender {
        void send(String text);
    }

    static class SenderBean {
        static final List<String> sent = new ArrayList<>();

        @Bean
        Sender sender() {
            return new Impl();
        }

        static class Impl implements Sender {
            @Override
            @Deferred(name = "interface")
            public void send(String text) {
                sent.add(text);
            }
        }
    }
}
