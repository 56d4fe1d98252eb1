package io.delayjob.actuate.endpoint;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.actuate.endpoint.EndpointApplication.Orders;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** The parameter {@code store} chooses the store of each request. */
@SpringBootTest(
        classes = {EndpointApplication.class, SeveralStoresEndpointTest.Audit.class},
        properties = {
            "delayjob.store=memory",
            "delayjob.stores.eu.store=memory",
            "management.endpoints.web.exposure.include=delayjobs",
            "management.endpoint.delayjobs.access=unrestricted"
        })
@AutoConfigureMockMvc
class SeveralStoresEndpointTest {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private Audit audit;

    private MvcTestResult get(String path) {
        return mvc.get().uri("/actuator/delayjobs" + path).exchange();
    }

    private JobId in(String store, long orderId) {
        return jobs.in(store)
                .schedule(Orders::cancel)
                .with(orderId)
                .key(orderId)
                .after(ofHours(1))
                .id();
    }

    @Test
    void store_choosesWhatIsShown() {
        JobId here = in("default", 1);
        JobId eu = in("eu", 2);

        assertThat(get("/jobs?name=cancel-order&key=2"))
                .bodyJson()
                .extractingPath("$.jobs.length()")
                .isEqualTo(0);
        assertThat(get("/jobs?name=cancel-order&key=2&store=eu"))
                .bodyJson()
                .extractingPath("$.jobs[0].id")
                .isEqualTo(eu.toString());
        assertThat(get("/jobs/" + here + "?store=default")).hasStatusOk();
        assertThat(get("/jobs/" + here + "?store=eu")).hasStatus(404);
        for (String section : List.of("", "/wheel", "/handlers", "/queues", "/instances", "/around", "/pulse")) {
            assertThat(get(section + "?store=eu")).as(section).hasStatusOk();
        }
        assertThat(get("/pulse?store=eu")).bodyJson().extractingPath("$.stores").isEqualTo(List.of("default", "eu"));
    }

    @Test
    void store_choosesWhatIsChanged() {
        JobId eu = in("eu", 3);
        assertThat(mvc.delete().uri("/actuator/delayjobs/jobs/" + eu)).hasStatus(404);
        assertThat(mvc.delete().uri("/actuator/delayjobs/jobs/" + eu + "?store=eu"))
                .hasStatusOk();
        assertThat(jobs.find(eu).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        assertThat(audit.changes)
                .anySatisfy(change -> assertThat(change.getData())
                        .containsEntry("store", "eu")
                        .containsEntry("job", eu.toString()));

        assertThat(mvc.post()
                        .uri("/actuator/delayjobs/handlers/cancel-order?store=eu")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"action\":\"pause\"}"))
                .hasStatusOk();
        assertThat(jobs.in("eu").paused().handlers()).contains("cancel-order");
        assertThat(jobs.in("default").paused().handlers()).isEmpty();
        assertThat(mvc.post()
                        .uri("/actuator/delayjobs/handlers/cancel-order")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"action\":\"resume\",\"store\":\"eu\"}"))
                .hasStatusOk();
        assertThat(jobs.in("eu").paused().handlers()).isEmpty();
    }

    @Test
    void unknownStore_isRefusedWithTheNames() {
        assertThat(get("/jobs?store=asia"))
                .hasStatus(400)
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo("Unknown store 'asia': must be one of [default, eu].");
    }

    static class Audit {
        final List<AuditEvent> changes = new CopyOnWriteArrayList<>();

        @EventListener
        void changed(AuditApplicationEvent event) {
            changes.add(event.getAuditEvent());
        }
    }
}
