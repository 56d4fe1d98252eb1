package io.delayjob.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.autoconfigure.DelayJobAbsenceAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.event.JobListener;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.spring.HandlerCustomizer;
import io.delayjob.spring.InvalidHandlerException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Targets and beans of type {@link Handler}: registered as annotated methods are, or refused with the way to mend it.
 */
@ExtendWith(OutputCaptureExtension.class)
class TargetsTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory");

    private final ApplicationContextRunner pigeons = contexts.withBean(Pigeons.class);

    /** A kind of target as a module has it. */
    static final class Pigeons implements TargetKind<Pigeons.Loft> {

        record Loft(String town, String secret) {}

        @Override
        public String name() {
            return "pigeon";
        }

        @Override
        public Class<Loft> properties() {
            return Loft.class;
        }

        @Override
        public Handler handler(String target, Loft loft, Handler.Builder rules) {
            if (loft.town() == null) {
                throw new IllegalArgumentException("Invalid town of target '" + target + "': must be given.");
            }
            return rules.parameters(Target.BODY).calls(new JobHandler() {
                @Override
                public Object handle(List<Object> arguments, JobContext job) {
                    throw new RefusedByTargetException(loft.town() + " has no loft");
                }

                @Override
                public void check(List<Object> arguments) {
                    if (arguments.get(0) == null) {
                        throw new IllegalArgumentException("a pigeon needs a body.");
                    }
                }
            });
        }
    }

    @Test
    void target_hasTheRulesOfAnyHandler() {
        pigeons.withPropertyValues(
                        "delayjob.targets.mail.pigeon.town=Ghent",
                        "delayjob.targets.mail.concurrency=3",
                        "delayjob.targets.mail.scope=cluster",
                        "delayjob.targets.mail.rate=30/min",
                        "delayjob.targets.mail.burst=5",
                        "delayjob.targets.mail.timeout=30s",
                        "delayjob.targets.mail.queue=birds",
                        "delayjob.targets.mail.priority=20",
                        "delayjob.targets.mail.keep-for=90d",
                        "delayjob.targets.mail.retry.max-retries=2",
                        "delayjob.retry.delay=7s")
                .run(context -> {
                    Handler handler = context.getBean(HandlerRegistry.class).find("mail");
                    assertThat(handler.concurrency()).isEqualTo(3);
                    assertThat(handler.scope()).isEqualTo(ConcurrencyScope.CLUSTER);
                    assertThat(handler.rate()).isEqualTo(RateLimit.of("30/min").burst(5));
                    assertThat(handler.timeout()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(handler.queue()).isEqualTo("birds");
                    assertThat(handler.priority()).isEqualTo(20);
                    assertThat(handler.keepFor()).isEqualTo(Duration.ofDays(90));
                    assertThat(Objects.requireNonNull(handler.retry()).toText())
                            .isEqualTo("growing:PT7S*2<=PT1H;retries=2");
                });
    }

    @Test
    void refusedCall_failsTheJobAtOnce() {
        BlockingQueue<Transition> ends = new LinkedBlockingQueue<>();
        pigeons.withPropertyValues("delayjob.targets.mail.pigeon.town=Ghent")
                .withBean(JobListener.class, () -> new JobListener() {
                    @Override
                    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                        ends.add(next);
                    }
                })
                .run(context -> {
                    DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
                    var id = jobs.schedule("mail")
                            .with(Map.of("body", "hello"))
                            .now()
                            .id();
                    assertThat(ends.poll(10, TimeUnit.SECONDS)).isNotNull();
                    assertThat(jobs.find(id)).get().satisfies(job -> {
                        assertThat(job.state()).isEqualTo(JobState.FAILED);
                        assertThat(job.attempt()).isEqualTo(1);
                    });
                });
    }

    @Test
    void argumentsThatTheTargetRefuses_areRefusedWhenScheduled_evenBehindACustomizer() {
        pigeons.withPropertyValues("delayjob.targets.mail.pigeon.town=Ghent")
                .withBean(HandlerCustomizer.class, () -> handler -> handler.withBody((arguments, job) -> null))
                .run(context -> {
                    DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
                    assertThatThrownBy(
                                    () -> jobs.schedule("mail").with(Map.of()).now())
                            .isInstanceOf(InvalidPayloadException.class)
                            .hasMessage("Invalid arguments for handler 'mail': a pigeon needs a body.");
                    assertThatThrownBy(() -> jobs.schedule("mail")
                                    .with(Map.of("boddy", 1))
                                    .now())
                            .hasMessageContaining("[boddy]");
                });
    }

    @Test
    void nameWithDashes_isOneTarget_evenIfAVariableHasNone() {
        pigeons.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment",
                                Map.of(
                                        "DELAYJOB_TARGETS_ORDERMAIL_PIGEON_TOWN", "Bruges",
                                        "DELAYJOB_TARGETS_ORDERMAIL_CONCURRENCY", "5"))))
                .withPropertyValues("delayjob.targets.order-mail.pigeon.town=Ghent")
                .run(context -> {
                    HandlerRegistry handlers = context.getBean(HandlerRegistry.class);
                    assertThat(handlers.names()).containsExactly("order-mail");
                    assertThat(handlers.find("order-mail").concurrency()).isEqualTo(5);
                });
    }

    @Test
    void namesThatDifferOnlyInDashes_areRefused() {
        pigeons.withPropertyValues(
                        "delayjob.targets.re-send.pigeon.town=Ghent", "delayjob.targets.resend.pigeon.town=Bruges")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidTargetException.class)
                        .hasMessageContaining("differ only in dashes or capitals")
                        .hasMessageContaining("'re-send'")
                        .hasMessageContaining("'resend'"));
    }

    @Test
    void rateInAnotherFormat_stopsTheStart() {
        pigeons.withPropertyValues("delayjob.targets.mail.pigeon.town=Ghent", "delayjob.targets.mail.rate=30/minute")
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidTargetException.class)
                        .hasMessageContaining(
                                "Invalid rate '30/minute': must be a whole number of starts and, without a space, a unit (/s, /min, /h or /d), such as 100/s, 30/min or 5000/h. Leave it out for no limit.")
                        .hasMessageContaining("Correct delayjob.targets.mail in the application's configuration."));
    }

    @Test
    void keys_areTakenFromAnArgumentOrAnEntryOfIt() {
        ArgumentKey key = ArgumentKey.of("rate-by", "headers.X-Customer");
        key.bind("mail", List.of(Target.BODY, Target.HEADERS));
        assertThat(key.keyOf(Arrays.asList(null, Map.of("X-Customer", "7")))).isEqualTo("7");
        assertThat(key.keyOf(Arrays.asList(null, Map.of()))).isNull();
        assertThat(key.keyOf(Arrays.asList(null, null))).isNull();
    }

    @Test
    void limitsByKey_areThoseOfAnyHandler() {
        pigeons.withPropertyValues(
                        "delayjob.targets.mail.pigeon.town=Ghent",
                        "delayjob.targets.mail.rate=30/min",
                        "delayjob.targets.mail.rate-by=body.customer",
                        "delayjob.targets.mail.fair-by=body.tenant",
                        "delayjob.targets.mail.expires-after=10m",
                        "delayjob.targets.bills.pigeon.town=Ghent",
                        "delayjob.targets.bills.mutex=body")
                .run(context -> {
                    HandlerRegistry handlers = context.getBean(HandlerRegistry.class);
                    Handler mail = handlers.find("mail");
                    List<Object> arguments = List.of(Map.of("customer", "7", "tenant", "acme"));
                    assertThat(mail.rateBy().keyOf(arguments)).isEqualTo("7");
                    assertThat(mail.fairBy().keyOf(arguments)).isEqualTo("acme");
                    assertThat(mail.expiresAfter()).isEqualTo(Duration.ofMinutes(10));
                    assertThat(handlers.find("bills").mutex().keyOf(List.of("8")))
                            .isEqualTo("8");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"rate-by", "mutex", "fair-by"})
    void keyOfAnUnknownArgument_stopsTheStart(String property) {
        pigeons.withPropertyValues(
                        "delayjob.targets.mail.pigeon.town=Ghent",
                        "delayjob.targets.mail.rate=30/min",
                        "delayjob.targets.mail." + property + "=customer")
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidTargetException.class)
                        .hasMessageContaining(
                                "Invalid %s 'customer' of target 'mail': must begin with the name of one of its arguments, ["
                                        .formatted(property)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            concurrency=3           | Target 'mail' has rules, but no kind: no property says where the target sends its messages. Set delayjob.targets.mail.pigeon, or
            concurency=3            | Target 'mail' has an unknown property: delayjob.targets.mail.concurency. Correct or remove the property. The most similar key is delayjob.targets.mail.concurrency;
            retry.dellay=3s         | unknown property: delayjob.targets.mail.retry.dellay. Correct or remove the property. The most similar key is delayjob.targets.mail.retry.delay;
            kafka.topic=x           | Target 'mail' has an unknown property: delayjob.targets.mail.kafka.topic. Correct
            pigeon.secrett=whsec_1  | Target 'mail' has an unknown property: delayjob.targets.mail.pigeon.secrett. Correct or remove the property. The most similar key is delayjob.targets.mail.pigeon.secret;
            pigeon.secret=whsec_1   | Invalid town of target 'mail': must be given. Correct delayjob.targets.mail.pigeon in
            """)
    void targetThatIsConfiguredWrongly_stopsTheStart(String property, String message, CapturedOutput output) {
        pigeons.withPropertyValues("delayjob.targets.mail." + property).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .isInstanceOf(InvalidTargetException.class)
                    .hasMessageContaining(message);
            assertThat(output).doesNotContain("whsec_1");
        });
    }

    @Test
    void invalidRule_stopsTheStart() {
        pigeons.withPropertyValues(
                        "delayjob.targets.mail.pigeon.town=Ghent", "delayjob.targets.mail.retry.multiplier=0.5")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidTargetException.class)
                        .hasMessageContaining("multiplier")
                        .hasMessageContaining("Correct delayjob.targets.mail in"));
        pigeons.withPropertyValues("delayjob.targets.mail.pigeon.town=Ghent", "delayjob.targets.mail.priority=1000")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Invalid priority 1000 of handler 'mail'"));
    }

    @Test
    void targetOfTwoKinds_isRefused() {
        pigeons.withPropertyValues("delayjob.targets.mail.pigeon.town=Ghent")
                .withBean(Target.class, () -> Target.named("mail").sends(message -> {}))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessage(
                                "Target 'mail' has more than one kind: delayjob.targets.mail.pigeon and a bean of type"
                                        + " Target. Keep one of these kinds, and give the other target another name."));
    }

    @Test
    void targetWithTheNameOfAMethod_isRefused() {
        pigeons.withBean(Mailer.class)
                .withPropertyValues("delayjob.targets.mail.pigeon.town=Ghent")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidHandlerException.class)
                        .hasMessageContaining("Two handlers have the name 'mail': Mailer::send and 'mail'.")
                        .hasMessageEndingWith("Give the target another name, as in delayjob.targets.<name>."));
    }

    @Test
    void withoutAnyModule_theMessageNamesOne() {
        contexts.withPropertyValues("delayjob.targets.mail.concurrency=2")
                .run(context ->
                        assertThat(context).getFailure().hasMessageContaining("delayjob-spring-boot-starter-http"));
    }

    @Test
    void ownTarget_getsTheMessage_andItsConfiguredRules(CapturedOutput output) {
        contexts.withUserConfiguration(Own.class)
                .withPropertyValues("delayjob.targets.audit.concurrency=1")
                .run(context -> {
                    DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
                    var id = jobs.schedule("audit")
                            .with(Map.of(
                                    "body", Map.of("price", new java.math.BigDecimal("0.12345678901234567890")),
                                    "headers", Map.of("tenant", "a")))
                            .now()
                            .id();
                    OutgoingMessage message = context.getBean(Own.class).sent.poll(10, TimeUnit.SECONDS);
                    assertThat(message.target()).isEqualTo("audit");
                    assertThat(message.body()).isEqualTo("{\"price\":0.12345678901234567890}");
                    assertThat(message.headers()).containsExactly(Map.entry("tenant", "a"));
                    assertThat(message.id()).startsWith(id + ":1:");
                    assertThat(message).hasToString("message " + message.id() + " to 'audit'");
                    assertThat(context.getBean(HandlerRegistry.class)
                                    .find("audit")
                                    .concurrency())
                            .isEqualTo(1);
                    assertThat(output).doesNotContain("Unknown property");
                });
    }

    @Test
    void twoOwnTargetsOfOneName_areRefused() {
        contexts.withBean("a", Target.class, () -> Target.named("audit").sends(message -> {}))
                .withBean("b", Target.class, () -> Target.named("audit").sends(message -> {}))
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .hasMessage(
                                        "Two beans of type Target have the name 'audit'. Give one of the two targets another name."));
    }

    @Test
    void handlerBean_isRegisteredAsAMethodIs() {
        BlockingQueue<Object> got = new LinkedBlockingQueue<>();
        contexts.withBean(
                        Handler.class,
                        () -> Handler.named("note")
                                .parameters(new PayloadParameter("text", String.class))
                                .calls((arguments, job) ->
                                        got.add(Objects.requireNonNull(arguments.get(0))) ? null : null))
                .withBean(
                        HandlerCustomizer.class,
                        () -> handler -> handler.withBody((arguments, job) -> {
                            got.add("customized");
                            return handler.body().handle(arguments, job);
                        }))
                .run(context -> {
                    context.getBean(DelayJobOperations.class)
                            .schedule("note")
                            .with(Map.of("text", "hi"))
                            .now();
                    assertThat(got.poll(10, TimeUnit.SECONDS)).isEqualTo("customized");
                    assertThat(got.poll(10, TimeUnit.SECONDS)).isEqualTo("hi");
                });
    }

    @Test
    void handlerBeanWithoutAStore_isRefused() {
        contexts.withPropertyValues("delayjob.store=jdbc")
                .withConfiguration(AutoConfigurations.of(DelayJobAbsenceAutoConfiguration.class))
                .withBean("note", Handler.class, () -> Handler.named("note").calls((arguments, job) -> null))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Handler bean 'note' would never run: there is no job store."));
    }

    @Test
    void handlerBeanWithATakenName_orAnUnstorablePayload_isRefused() {
        contexts.withBean(Mailer.class)
                .withBean(Handler.class, () -> Handler.named("mail").calls((arguments, job) -> null))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Two handlers have the name 'mail'")
                        .hasMessageEndingWith("Give the bean's handler another name, as in Handler.named(\"…\")."));
        contexts.withBean(
                        "odd",
                        Handler.class,
                        () -> Handler.named("odd")
                                .parameters(new PayloadParameter("thread", Runnable.class))
                                .calls((arguments, job) -> null))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Handler bean 'odd' takes a payload that cannot be stored"));
    }

    static final class Mailer {
        @DelayedJob("mail")
        void send() {}
    }

    static class Own {
        final BlockingQueue<OutgoingMessage> sent = new LinkedBlockingQueue<>();

        @Bean
        Target audit() {
            return Target.named("audit").sends(message -> sent.add(message));
        }
    }
}
