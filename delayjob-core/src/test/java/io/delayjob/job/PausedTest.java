package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PausedTest {

    @Test
    void fingerprint_tellsPausesApart() {
        List<Paused> different = List.of(
                Paused.NOTHING,
                Paused.queue("mail"),
                Paused.handlers(Set.of("mail")),
                Paused.handlers(Set.of("mail", "sms")),
                Paused.handlers(Set.of("mailsms")),
                new Paused(Set.of("mail"), Set.of("sms")),
                new Paused(Set.of("sms"), Set.of("mail")));

        assertThat(different).extracting(Paused::fingerprint).doesNotHaveDuplicates();
        assertThat(Paused.NOTHING.fingerprint()).isZero();
    }

    /** Instances of other versions compare the fingerprint. */
    @Test
    void fingerprint_neverChanges() {
        assertThat(new Paused(Set.of("mail", "Überweisung"), Set.of("bulk")).fingerprint())
                .isEqualTo(6513031477146641879L);
    }
}
