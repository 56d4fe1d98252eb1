package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.JobId;
import java.time.Instant;
import java.util.Base64;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** A ticket that leaves the application comes back as it was, or not at all. */
class AnswerTicketsTest {

    private static final String SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    private static final AnswerTicket TICKET = new AnswerTicket(
            JobId.parse("01a20904-b5ed-77ec-952d-31d74fef3a9e"), Instant.ofEpochMilli(1_795_446_000_123L), 3, 7);

    private final AnswerTickets tickets = new AnswerTickets(SECRET, null, null);

    @Test
    void ticket_isReadAsItWasWritten() {
        assertThat(tickets.write(TICKET)).matches("[A-Za-z0-9_-]{64}");
        assertThat(tickets.read(tickets.write(TICKET))).isEqualTo(TICKET);
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            AnswerTicket any = new AnswerTicket(
                    new JobId(new UUID(random.nextLong(), random.nextLong())),
                    Instant.ofEpochMilli(random.nextLong()),
                    1 + random.nextInt(Integer.MAX_VALUE),
                    1 + random.nextInt(Integer.MAX_VALUE));
            assertThat(tickets.read(tickets.write(any))).isEqualTo(any);
        }
    }

    /** So that each of the four fields is signed, and all of the signature is looked at. */
    @Test
    void everyFlippedBit_makesItInvalid() {
        byte[] genuine = Base64.getUrlDecoder().decode(tickets.write(TICKET));
        for (int bit = 0; bit < genuine.length * 8; bit++) {
            byte[] forged = genuine.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
            assertThatThrownBy(() -> tickets.read(text)).isInstanceOf(InvalidTicketException.class);
        }
    }

    @Test
    void everyFlippedBit_makesItInvalid_whileSecretsAreExchanged() {
        AnswerTickets both = new AnswerTickets(OTHER, SECRET, null);
        byte[] genuine = Base64.getUrlDecoder().decode(tickets.write(TICKET));
        for (int bit = 0; bit < genuine.length * 8; bit++) {
            byte[] forged = genuine.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
            assertThatThrownBy(() -> both.read(text)).isInstanceOf(InvalidTicketException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "../../etc/passwd",
                "%00",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "==============================================================AA",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää"
            })
    void anyOtherText_isInvalid(String text) {
        assertThatThrownBy(() -> tickets.read(text)).isInstanceOf(InvalidTicketException.class);
        assertThatThrownBy(() -> tickets.read(tickets.write(TICKET) + text.concat("A")))
                .isInstanceOf(InvalidTicketException.class);
    }

    @Test
    void ticketOfThePreviousSecret_isRead_andNoneOfAnother() {
        String old = tickets.write(TICKET);
        assertThat(new AnswerTickets(OTHER, SECRET, null).read(old)).isEqualTo(TICKET);
        assertThat(new AnswerTickets(OTHER, SECRET, null).write(TICKET))
                .isEqualTo(new AnswerTickets(OTHER, null, null).write(TICKET));
        assertThatThrownBy(() -> new AnswerTickets(OTHER, null, null).read(old))
                .isInstanceOf(InvalidTicketException.class);
    }

    @Test
    void invalidTicket_isNotFoundInAController() {
        assertThat(AnnotatedElementUtils.findMergedAnnotation(InvalidTicketException.class, ResponseStatus.class)
                        .code())
                .isEqualTo(HttpStatus.NOT_FOUND);
    }

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory");

    @Test
    void withoutASecret_thereIsNone() {
        contexts.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(AnswerTickets.class));
    }

    @Test
    void withASecretAndAUrl_receiversAreToldWhereToAnswer() {
        contexts.withPropertyValues(
                        "delayjob.answers.secret=whsec_" + SECRET,
                        "delayjob.answers.url=https://shop.example.com/answers/")
                .run(context -> {
                    AnswerTickets bean = context.getBean(AnswerTickets.class);
                    assertThat(bean.read(tickets.write(TICKET))).isEqualTo(TICKET);
                    assertThat(bean.address(TICKET))
                            .hasValue("https://shop.example.com/answers/" + tickets.write(TICKET));
                    assertThat(bean.toString()).isEqualTo("AnswerTickets[******]");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"c2hvcnQ=", "whsec_c2hvcnQ=", "not base64 at all, but long enough", ""})
    void weakSecret_stopsTheStart_andIsNotShown(String secret) {
        contexts.withPropertyValues("delayjob.answers.secret=" + secret)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Invalid delayjob.answers.secret: must be 24 bytes or more")
                        .message()
                        .doesNotContain("c2hvcnQ", "not base64"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://shop", "ftp://shop", "https://me:pw@shop", "https://shop/?a=b", "shop"})
    void urlThatWouldGiveTicketsAway_stopsTheStart(String url) {
        contexts.withPropertyValues("delayjob.answers.secret=" + SECRET, "delayjob.answers.url=" + url)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Invalid delayjob.answers.url"));
    }
}
