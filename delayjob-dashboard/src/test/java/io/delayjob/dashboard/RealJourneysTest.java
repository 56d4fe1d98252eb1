package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.dashboard.RealApplication.Work;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.ScheduledChain;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** What operators come for, in an application behind a login, with its store, its session and its CSRF protection. */
class RealJourneysTest {

    private static Browser browser;
    private static RealApplication shop;

    private DelayJobOperations jobs;

    @BeforeAll
    static void open() {
        browser = Browser.shared();
        browser.size(1440, 1000);
        shop = RealApplication.start(
                WebApplicationType.SERVLET,
                Login.class,
                RealApplication.database(),
                "management.endpoint.delayjobs.access=unrestricted",
                "delayjob.endpoint.operator-roles=OPS",
                "delayjob.endpoint.show-payloads=when-authorized",
                "delayjob.endpoint.roles=OPS",
                "delayjob.dashboard.environment=staging");
    }

    @AfterAll
    static void close() {
        if (shop != null) {
            shop.close();
            browser.forget();
        }
    }

    @BeforeEach
    void begin() {
        jobs = shop.jobs();
        shop.work().broken = "the partner is closed";
    }

    @AfterEach
    void clear() {
        Login.rules = Login.Rules.AS_USUAL;
        shop.work().broken = null;
        jobs.resume("capture-payment");
        jobs.retry(JobQuery.state(JobState.FAILED));
        browser.until("an empty shop", open -> {
            List<Job> unfinished = Stream.of(JobState.DELAYED, JobState.READY, JobState.RUNNING)
                    .flatMap(state -> jobs.find(JobQuery.state(state)).jobs().stream())
                    .toList();
            unfinished.forEach(job -> jobs.cancel(job.id()));
            return unfinished.isEmpty();
        });
        browser.forget();
    }

    private static String page(String query) {
        return shop.address() + "/actuator/delayjobs/ui/?" + query;
    }

    /** Signs in at the page, and waits until the application shows it. */
    private static void signIn(String user, String query) {
        browser.visit(page(query));
        fillIn(user);
        browser.loaded();
        browser.console();
    }

    private static void fillIn(String user) {
        browser.type("#username", user);
        browser.type("#password", "secret");
        browser.enter("#password");
    }

    private Job job(JobId id) {
        return jobs.find(id).orElseThrow();
    }

    private void untilState(JobId id, JobState state) {
        browser.until(state + " in the store", open -> job(id).state() == state);
    }

    private List<JobId> fail(int count) {
        List<JobId> ids = LongStream.range(0, count)
                .mapToObj(i -> jobs.schedule(Work::send).with("hook " + i).now().id())
                .toList();
        ids.forEach(id -> untilState(id, JobState.FAILED));
        return ids;
    }

    @Test
    void key_searched_leadsToTheJobAndToTheReasonWhyItWaits() {
        jobs.schedule(Work::capture).with(81701L).key("order-81701").after(Duration.ofHours(2));
        signIn("ann", "");
        browser.press("/");
        browser.type("#find", "order-81701");
        browser.enter("#find");
        browser.untilShown("order-81701");
        assertThat(browser.address()).endsWith("?jobs&key=order-81701");
        browser.click("capture-payment");
        browser.untilShown("Why does it not run?");
        browser.untilShown("It is not due before");
        assertThat(browser.main()).contains("{\"orderId\":81701}");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void chain_isShownOnTheJobsPage_andLeadsFromJobToJob() {
        ScheduledChain chain = jobs.schedule(Work::capture)
                .with(81702L)
                .then("send-receipt")
                .thenAlways("archive-order")
                .startAfter(Duration.ofHours(2));
        signIn("ann", "job&id=" + chain.first().id());
        browser.untilShown("send-receipt, then archive-order");
        browser.untilShown("once it has finished");

        jobs.reschedule(chain.first().id(), Duration.ZERO);
        untilState(chain.first().id(), JobState.FINISHED);
        browser.show(page("job&id=" + chain.first().id()));
        browser.click("send-receipt");
        browser.untilShown("once it has finished or failed");
        browser.click(chain.first().id().toString());
        browser.untilShown("capture-payment");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void handler_pausedOnThePage_holdsItsJobUntilItIsResumed() {
        signIn("ann", "handlers");
        browser.click("Pause capture-payment");
        browser.click("Pause");
        browser.untilShown("capture-payment is paused on all instances");
        assertThat(jobs.paused().handlers()).containsExactly("capture-payment");

        JobId id = jobs.schedule(Work::capture).with(1L).now().id();
        browser.show(page("job&id=" + id));
        browser.untilShown("Why does it not run?");
        browser.untilShown("is paused");
        browser.show(page("handlers"));
        browser.click("Resume capture-payment");
        browser.untilShown("capture-payment is resumed.");
        untilState(id, JobState.FINISHED);
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void failureGroup_retriedOverASpan_isDueEvenlyOverIt() {
        List<JobId> failed = fail(20);
        signIn("ann", "failures");
        browser.untilShown("the partner is closed");
        browser.click("Retry…");
        browser.type("#typed", "send-webhook");
        Instant asked = Instant.now();
        browser.click("Retry 20");
        browser.untilShown("20 jobs retried.");
        List<Duration> due = failed.stream()
                .map(id -> Duration.between(asked, job(id).dueAt()))
                .sorted()
                .toList();
        assertThat(due.get(0)).isLessThan(Duration.ofMinutes(1));
        assertThat(due.get(10)).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(6));
        assertThat(due.get(19)).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
        assertThat(browser.console()).isEmpty();
        failed.forEach(jobs::cancel);
    }

    @Test
    void failureGroup_retriedWithOneFirst_followsOnceThatHasSucceeded() {
        List<JobId> failed = fail(3);
        shop.work().broken = null;
        signIn("ann", "failures");
        browser.click("Retry…");
        browser.choose("one job first; the others if it succeeds");
        browser.type("#typed", "send-webhook");
        browser.click("Retry 3");
        browser.untilShown("3 jobs retried");
        failed.forEach(id -> untilState(id, JobState.FINISHED));
    }

    /** A handler that plans its next run has succeeded, although its job has not ended. */
    @Test
    void failureGroup_retriedWithOneFirst_followsOnceARunThatGoesOnHasSucceeded() {
        List<JobId> failed = IntStream.range(0, 3)
                .mapToObj(i -> jobs.schedule(Work::poll).now().id())
                .toList();
        failed.forEach(id -> untilState(id, JobState.FAILED));
        shop.work().broken = null;
        signIn("ann", "failures");
        browser.click("Retry…");
        browser.choose("one job first; the others if it succeeds");
        browser.type("#typed", "poll-parcel");
        browser.click("Retry 3");
        browser.untilShown("3 jobs retried");
        failed.forEach(id -> browser.until("a second run", open -> job(id).run() == 2));
    }

    /** More than a page of them, beside others that stay. */
    @Test
    void allThatMatch_cancelledFromTheList_areCancelledBeyondThePage() {
        List<JobId> matching = LongStream.range(0, 60)
                .mapToObj(i -> jobs.schedule(Work::capture)
                        .with(i)
                        .after(Duration.ofDays(1))
                        .id())
                .toList();
        JobId other =
                jobs.schedule(Work::send).with("hook").after(Duration.ofDays(1)).id();
        signIn("ann", "jobs&state=DELAYED&name=capture-payment");
        browser.untilShown("50 jobs");
        browser.run("document.querySelector('[aria-label=\"Select all on this page\"]').click()");
        browser.click("All that match…");
        browser.choose("cancel");
        browser.type("#typed", "cancel all");
        browser.click("Cancel them");
        browser.untilShown("60 jobs cancelled.");
        assertThat(matching).allMatch(id -> job(id).state() == JobState.CANCELLED);
        assertThat(job(other).state()).isEqualTo(JobState.DELAYED);
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void label_typedIntoTheFilter_leavesTheJobsThatHaveIt() {
        JobId labelled = jobs.schedule(Work::capture)
                .with(8L)
                .key("has-a-label")
                .label("customer:8")
                .after(Duration.ofDays(1))
                .id();
        jobs.schedule(Work::capture).with(9L).key("has-none").after(Duration.ofDays(1));
        signIn("ann", "jobs&state=DELAYED");
        browser.untilShown("has-none");

        browser.type("#filter", "label:customer:8");
        browser.enter("#filter");

        browser.until(
                "the labelled job alone",
                page -> page.main().contains("has-a-label") && !page.main().contains("has-none"));
        browser.show(page("job&id=" + labelled));
        browser.click("customer:8");
        browser.until(
                "the list of that label",
                page -> page.address().contains("label=customer") && page.main().contains("has-a-label"));
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void group_leadsToItsMember_andTheJobAfterItSaysWhichItFollows() {
        JobId member = jobs.schedule(Work::capture)
                .with(81705L)
                .key("a-member")
                .group("import-42")
                .mutex("account-7")
                .fairKey("acme")
                .after(Duration.ofDays(1))
                .id();
        jobs.schedule(Work::capture).with(81706L).key("no-member").after(Duration.ofDays(1));
        JobId last = jobs.group("import-42").whenAllEnded(jobs.schedule("archive-import"));
        signIn("ann", "groups");
        browser.click("import-42");
        browser.until(
                "the member alone",
                page -> page.main().contains("a-member") && !page.main().contains("no-member"));
        browser.click("capture-payment");
        browser.untilShown("Why does it not run?");
        assertThat(browser.facts()).contains("Group: import-42", "Mutex: account-7", "Fair key: acme");

        jobs.reschedule(member, Duration.ZERO);
        browser.until(
                "the end of the group", open -> jobs.find(last).map(Job::state).orElse(null) == JobState.FINISHED);
        browser.show(page("job&id=" + last));
        browser.untilShown("Kept until");
        assertThat(browser.facts())
                .contains("Follows group: import-42")
                .anyMatch(fact -> fact.startsWith("Kept until: ") && fact.endsWith("in 90 d"));
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void partOfAPayload_typedIntoTheFilter_findsItsJob_onlyForThoseWhoMaySeePayloads() {
        jobs.schedule(Work::capture).with(81703L).key("has-the-part").after(Duration.ofDays(1));
        jobs.schedule(Work::capture).with(81704L).key("has-it-not").after(Duration.ofDays(1));
        signIn("ann", "jobs&state=DELAYED");
        browser.untilShown("has-it-not");
        browser.type("#filter", "payload:\"orderId\":81703");
        browser.enter("#filter");
        browser.until(
                "the job with that payload alone",
                page -> page.main().contains("has-the-part") && !page.main().contains("has-it-not"));
        assertThat(browser.console()).isEmpty();

        browser.forget();
        signIn("ben", "jobs&state=DELAYED&payload=81703");
        browser.untilShown("Payloads are hidden from you");
        assertThat(browser.main()).doesNotContain("has-the-part");
    }

    @Test
    void job_rescheduledStartedAndCancelled_isSoInTheStore() {
        JobId id =
                jobs.schedule(Work::capture).with(2L).after(Duration.ofDays(1)).id();
        JobId other =
                jobs.schedule(Work::capture).with(3L).after(Duration.ofDays(1)).id();
        signIn("ann", "job&id=" + id);
        browser.click("Cancel…");
        browser.click("Leave it");
        browser.click("Reschedule…");
        browser.type("dialog input", "1 h 30 m");
        Instant asked = Instant.now();
        browser.click("Reschedule");
        browser.untilShown("It is due in 1 h 30 m.");
        assertThat(Duration.between(asked, job(id).dueAt())).isBetween(Duration.ofMinutes(89), Duration.ofMinutes(91));
        browser.click("Run now");
        untilState(id, JobState.FINISHED);
        browser.untilShown("Finished");

        browser.show(page("job&id=" + other));
        browser.click("Cancel…");
        browser.click("Cancel this job");
        browser.untilShown("Cancelled: no attempt starts.");
        assertThat(job(other).state()).isEqualTo(JobState.CANCELLED);
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void reader_onAllPages_seesNoButtonThatChangesAndNoPayload() {
        JobId waits =
                jobs.schedule(Work::capture).with(4L).after(Duration.ofDays(1)).id();
        fail(1);
        signIn("ben", "");
        for (String page : List.of("jobs&state=DELAYED", "job&id=" + waits, "failures", "handlers")) {
            browser.show(page(page));
            browser.untilShown("You are ben, and may look");
            assertThat(browser.text("body"))
                    .doesNotContain("Retry…", "Cancel…", "Reschedule…", "Run now", "{\"orderId\"");
            assertThat(browser.has("[role=switch], main input[type=checkbox]")).isFalse();
        }
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void stranger_afterTheLogin_getsNoPage() {
        browser.visit(page(""));
        fillIn("eve");
        browser.until("a refusal", open -> open.text("body").contains("403"));
        assertThat(browser.has("main")).isFalse();
        browser.console();
    }

    @Test
    void change_refusedByTheRules_saysSoAndChangesNothing() {
        JobId id =
                jobs.schedule(Work::capture).with(5L).after(Duration.ofDays(1)).id();
        signIn("ann", "job&id=" + id);
        Login.rules = Login.Rules.NO_CHANGES;
        browser.click("Run now");
        browser.untilShown("You may look but not change: the server refused the request (403).");
        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
        browser.console();
    }

    @Test
    void reads_refusedByTheRules_sayWhoRefusesAndRecover() {
        signIn("ann", "handlers");
        Login.rules = Login.Rules.NOTHING;
        browser.untilShown("You may not look at the jobs.");
        assertThat(browser.main()).contains("capture-payment");
        Login.rules = Login.Rules.AS_USUAL;
        browser.click("Try again");
        browser.until("recovery", open -> !open.main().contains("You may not look"));
        browser.console();
    }

    @Test
    void session_over_leadsThroughTheLoginBackToTheSamePage() {
        signIn("ann", "jobs&state=FINISHED");
        browser.signOut();
        browser.untilShown("Your session has ended.");
        browser.click("Sign in");
        browser.until("the login", open -> open.has("#username"));
        fillIn("ann");
        browser.loaded();
        assertThat(browser.address()).contains("/ui/?jobs&state=FINISHED");
        assertThat(browser.main()).doesNotContain("Your session has ended.");
        // The token of the session before would be refused.
        JobId id =
                jobs.schedule(Work::capture).with(6L).after(Duration.ofDays(1)).id();
        browser.show(page("job&id=" + id));
        browser.click("Run now");
        untilState(id, JobState.FINISHED);
        browser.console();
    }

    @ParameterizedTest
    @ValueSource(strings = {"failures", "jobs&state=FAILED", "job&id=", ""})
    void hostileTexts_storedByTheApplication_areShownAsText(String page) {
        String script = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">";
        String rightToLeft = "\u202Egnp.exe\u202C";
        shop.work().broken = script + rightToLeft + "x".repeat(10_000);
        JobId failed = jobs.schedule(Work::send)
                .with(script + "y".repeat(10_000))
                .key(script + rightToLeft)
                .now()
                .id();
        untilState(failed, JobState.FAILED);
        jobs.schedule(script + rightToLeft).after(Duration.ZERO);
        signIn("ann", page.endsWith("id=") ? page + failed : page);
        // The application counts the names without a handler once in ten seconds, and an open page reads them twice a
        // minute.
        browser.until(
                "the count of jobs without a handler",
                open -> open.answer("../handlers").contains("<script>"));
        browser.show(browser.address());
        browser.untilShown("<script>");
        assertThat(browser.title()).doesNotContain("taken");
        assertThat(browser.has("main img, aside img, main script")).isFalse();
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                .as("the page fits its window")
                .isEqualTo(true);
        assertThat(browser.violations()).isEmpty();
        assertThat(browser.console()).isEmpty();
    }

    /** As docs/dashboard.md says it: people sign in by a form, support staff may look, operators may change. */
    @Configuration(proxyBeanMethods = false)
    static class Login {

        enum Rules {
            AS_USUAL,
            NO_CHANGES,
            NOTHING
        }

        /** What the application's rules say for a while. */
        static volatile Rules rules = Rules.AS_USUAL;

        @Bean
        SecurityFilterChain login(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET, "/actuator/**")
                            .access((who, request) -> new AuthorizationDecision(
                                    rules != Rules.NOTHING && has(who.get(), "ROLE_SUPPORT", "ROLE_OPS")))
                            .requestMatchers("/actuator/**")
                            .access((who, request) ->
                                    new AuthorizationDecision(rules == Rules.AS_USUAL && has(who.get(), "ROLE_OPS")))
                            .anyRequest()
                            .permitAll())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }

        private static boolean has(org.springframework.security.core.Authentication who, String... roles) {
            return who.getAuthorities().stream()
                    .anyMatch(authority -> List.of(roles).contains(authority.getAuthority()));
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(user("ann", "OPS"), user("ben", "SUPPORT"), user("eve", "USER"));
        }

        private static org.springframework.security.core.userdetails.UserDetails user(String name, String role) {
            return User.withUsername(name).password("{noop}secret").roles(role).build();
        }
    }
}
