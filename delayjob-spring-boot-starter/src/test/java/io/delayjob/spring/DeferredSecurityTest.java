package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.Retry;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.store.JobQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.access.prepost.PreFilter;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;

/** Who calls a deferred method must be allowed to; the job that comes of it has nobody logged in. */
class DeferredSecurityTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withUserConfiguration(Security.class, Payouts.class)
            .withPropertyValues("delayjob.store=memory");

    private void run(Consumer<Payouts> test) {
        contexts.run(context -> test.accept(context.getBean(Payouts.class)));
    }

    private static void logIn(String name, String... authorities) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(name, "", authorities));
    }

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void callerWhoMay_schedulesAndTheJobRunsOnceWithoutAnybodyLoggedIn() {
        run(payouts -> {
            logIn("ann", "ROLE_CLERK");
            payouts.pay("ann", 7);
            assertThat(payouts.paid()).isEqualTo("ann 7 by nobody");
            payouts.pay("ann", 8);
            assertThat(payouts.paid()).as("and not twice").isEqualTo("ann 8 by nobody");
        });
    }

    @Test
    void callerWhoMayNot_schedulesNothing() {
        run(payouts -> {
            logIn("bob", "ROLE_GUEST");
            assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> payouts.pay("bob", 7));
            assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> payouts.paySecured(7));
            assertThat(payouts.scheduled()).isZero();
        });
    }

    @Test
    void callerWhoIsNotLoggedIn_schedulesNothing() {
        run(payouts -> {
            assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class)
                    .isThrownBy(() -> payouts.pay("bob", 7));
            assertThat(payouts.scheduled()).isZero();
        });
    }

    @Test
    void expressionOverArguments_isThatOfTheCall() {
        run(payouts -> {
            logIn("ann", "ROLE_CLERK");
            assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> payouts.pay("bob", 7));
            assertThat(payouts.scheduled()).isZero();
        });
    }

    @Test
    void otherKindsOfChecks_areMadeAtTheCallToo() {
        run(payouts -> {
            logIn("ann", "ROLE_CLERK");
            payouts.paySecured(7);
            assertThat(payouts.paid()).isEqualTo("secured 7");
            payouts.payEach(new ArrayList<>(List.of("ann", "bob")));
            assertThat(payouts.paid()).isEqualTo("each [ann]");
            payouts.payAndJudge(7);
            assertThat(payouts.paid()).isEqualTo("judged 7");
        });
    }

    @Test
    void interceptorsForTheAttempt_stayWithinTheJob() {
        run(payouts -> {
            logIn("ann", "ROLE_CLERK");
            payouts.payWithLuck(7);
            assertThat(payouts.paid()).isEqualTo("without luck");
            assertThat(payouts.paid()).isEqualTo("with luck");
        });
    }

    /** The pass of the engine is for its own call, and not for what comes of it. */
    @Test
    void callFromWithinTheJob_isCheckedAsAnyOther() {
        run(payouts -> {
            logIn("ann", "ROLE_CLERK");
            payouts.payOn(7);
            assertThat(payouts.paid()).isEqualTo("refused pay, payOn, audit");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity(securedEnabled = true)
    @EnableResilientMethods
    static class Security {}

    static class Payouts {
        private final BlockingQueue<String> paid = new LinkedBlockingQueue<>();
        private final AtomicBoolean tried = new AtomicBoolean();
        private final DelayJobOperations jobs;

        @Autowired
        @Lazy
        private Payouts self;

        Payouts(DelayJobOperations jobs) {
            this.jobs = jobs;
        }

        String paid() {
            try {
                return paid.poll(30, TimeUnit.SECONDS);
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }

        int scheduled() {
            return jobs.find(JobQuery.all()).jobs().size();
        }

        @Deferred(name = "pay")
        @PreAuthorize("hasRole('CLERK') and #account == authentication.name")
        public void pay(String account, int amount) {
            boolean nobody = SecurityContextHolder.getContext().getAuthentication() == null;
            paid.add("%s %d by %s".formatted(account, amount, nobody ? "nobody" : "somebody"));
        }

        @Deferred(name = "pay-secured")
        @Secured("ROLE_CLERK")
        public void paySecured(int amount) {
            paid.add("secured " + amount);
        }

        @Deferred(name = "pay-each")
        @PreFilter("filterObject == authentication.name")
        public void payEach(List<String> accounts) {
            paid.add("each " + accounts);
        }

        @Deferred(name = "pay-and-judge")
        @PostAuthorize("hasRole('CLERK')")
        public void payAndJudge(int amount) {
            paid.add("judged " + amount);
        }

        @Deferred(name = "pay-with-luck", retry = @Retry(maxRetries = 0))
        @PreAuthorize("hasRole('CLERK')")
        @Retryable(maxRetries = 1, delay = 0)
        public void payWithLuck(int amount) {
            boolean lucky = tried.getAndSet(true);
            paid.add(lucky ? "with luck" : "without luck");
            if (!lucky) {
                throw new IllegalStateException("without luck");
            }
        }

        @Deferred(name = "pay-on")
        @PreAuthorize("hasRole('CLERK')")
        public void payOn(int amount) {
            List<String> refused = new ArrayList<>();
            refuse(refused, "pay", () -> self.pay("ann", amount));
            refuse(refused, "payOn", () -> self.payOn(amount));
            refuse(refused, "audit", () -> self.audit());
            paid.add("refused " + String.join(", ", refused));
        }

        private static void refuse(List<String> refused, String name, Runnable call) {
            try {
                call.run();
            } catch (AuthenticationCredentialsNotFoundException nobody) {
                refused.add(name);
            }
        }

        @PreAuthorize("hasRole('CLERK')")
        public void audit() {}
    }
}
