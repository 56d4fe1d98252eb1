package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.dashboard.RealApplication.Work;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Where applications run: behind a proxy, in a cluster, on a port for the management, over WebFlux, and while they die.
 */
class RealClusterTest {

    private static final String ENDPOINT = "/actuator/delayjobs";

    private static final String OPEN = DashboardServingTest.OPEN;

    private static final String UNRESTRICTED = "management.endpoint.delayjobs.access=unrestricted";

    private static Browser browser;

    @Configuration(proxyBeanMethods = false)
    static class NoLogin {}

    @BeforeAll
    static void open() {
        browser = Browser.shared();
        browser.size(1440, 1000);
    }

    @AfterEach
    void forget() {
        browser.forget();
    }

    private static RealApplication start(WebApplicationType type, String database, String... properties) {
        return RealApplication.start(type, NoLogin.class, database, properties);
    }

    private static void untilState(RealApplication shop, JobId id, JobState state) {
        browser.until(
                state + " in the store",
                open -> shop.jobs().find(id).orElseThrow().state() == state);
    }

    /** A user of the database whose connections can be taken away. */
    private static String mortal(RealApplication first) {
        new JdbcTemplate(first.bean(DataSource.class)).execute("CREATE USER MORTAL PASSWORD '' ADMIN");
        return "mortal";
    }

    private static RealApplication member(String database, String name, String user) {
        return start(
                WebApplicationType.SERVLET,
                database,
                "spring.datasource.username=" + user,
                OPEN,
                UNRESTRICTED,
                "server.forward-headers-strategy=framework",
                "delayjob.instance-id=" + name,
                "delayjob.heartbeat=500ms",
                // An instance is shown as late for most of this time, and the page asks once a second.
                "delayjob.liveness=6s",
                "delayjob.lease.duration=3s",
                "spring.datasource.hikari.connection-timeout=500");
    }

    @Test
    void instances_behindAProxyWithAPrefix_areOnePage_thatSurvivesTheDeathOfOne() throws IOException {
        String url = RealApplication.database();
        try (RealApplication first = member(url, "harbour", "sa");
                RealApplication second = member(url, "airport", mortal(first));
                ReverseProxy proxy = new ReverseProxy("/ops/shop", List.of(first.address(), second.address()))) {
            JobId id = first.jobs()
                    .schedule(Work::capture)
                    .with(1L)
                    .after(Duration.ofDays(1))
                    .id();
            browser.console();
            // Without the last slash: the redirect must keep the prefix.
            browser.show(proxy.address() + ENDPOINT + "/ui?cluster");
            assertThat(browser.address()).startsWith(proxy.address() + ENDPOINT + "/ui/");
            browser.show(proxy.address() + ENDPOINT + "/ui/?cluster");
            browser.until(
                    "both instances",
                    open -> open.main().contains("harbour") && open.main().contains("airport"));
            browser.until("an answer of the first", open -> open.text("aside").contains("Answered by harbour"));
            browser.until("an answer of the second", open -> open.text("aside").contains("Answered by airport"));
            browser.show(proxy.address() + ENDPOINT + "/ui/?job&id=" + id);
            browser.click("Run now");
            untilState(first, id, JobState.FINISHED);
            assertThat(browser.console()).isEmpty();

            browser.show(proxy.address() + ENDPOINT + "/ui/?cluster");
            second.stopAnswering();
            JdbcTemplate database = new JdbcTemplate(first.bean(DataSource.class));
            database.execute("ALTER USER MORTAL SET PASSWORD 'gone'");
            database.queryForList(
                    "SELECT ABORT_SESSION(SESSION_ID) FROM INFORMATION_SCHEMA.SESSIONS WHERE USER_NAME = 'MORTAL'");
            browser.untilShown("airport is late.");
            assertThat(browser.main()).contains("the others remove it");
            browser.until(
                    "the death to be noticed",
                    open -> !open.text("[aria-label=Instances]").contains("airport"));
            assertThat(browser.text("aside")).contains("Answered by harbour");
            JobId next = first.jobs().schedule(Work::capture).with(2L).now().id();
            untilState(first, next, JobState.FINISHED);
        }
    }

    @Test
    void application_killedAndStartedAgain_saysSinceWhenAndRecovers() {
        String database = RealApplication.database();
        String port;
        try (RealApplication mortal = start(
                WebApplicationType.SERVLET,
                database,
                OPEN,
                "management.server.port=0",
                "management.server.base-path=/ops")) {
            mortal.jobs().schedule(Work::capture).with(1L).key("order-1").after(Duration.ofHours(1));
            port = mortal.property("local.management.port");
            browser.console();
            browser.show(mortal.address() + "/ops" + ENDPOINT + "/ui/?jobs&state=DELAYED");
            browser.untilShown("order-1");
            assertThat(browser.text("aside")).contains("You may look");
            assertThat(browser.has("main input[type=checkbox]"))
                    .as("what changes")
                    .isFalse();
            assertThat(browser.console()).isEmpty();
        }
        browser.untilShown("Not connected since");
        assertThat(browser.main()).contains("Trying again every 5 s", "order-1");
        try (RealApplication again = start(
                WebApplicationType.SERVLET,
                database,
                OPEN,
                "management.server.port=" + port,
                "management.server.base-path=/ops")) {
            // The page tries again by itself, possibly before a slow machine could click.
            browser.until("recovery", open -> !open.main().contains("Not connected"));
            assertThat(browser.main()).contains("order-1");
            assertThat(again.address()).endsWith(port);
        }
        browser.console();
    }

    @Test
    void webFlux_withABasePath_showsAndChangesJobs() {
        try (RealApplication shop = start(
                WebApplicationType.REACTIVE,
                RealApplication.database(),
                OPEN,
                UNRESTRICTED,
                "spring.webflux.base-path=/shop")) {
            JobId id = shop.jobs()
                    .schedule(Work::capture)
                    .with(1L)
                    .key("order-1")
                    .after(Duration.ofHours(1))
                    .id();
            browser.console();
            browser.show(shop.address() + "/shop" + ENDPOINT + "/ui/?jobs&key=order-1");
            browser.untilShown("Anybody may change jobs here.");
            browser.click("capture-payment");
            browser.untilShown("It is not due before");
            browser.click("Cancel…");
            browser.click("Cancel this job");
            browser.untilShown("Cancelled: no attempt starts.");
            assertThat(shop.jobs().find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
            assertThat(browser.console()).isEmpty();
        }
    }
}
