package io.delayjob.internal.preload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClaimLeadTest {

    private static final long DUE = 1_893_456_001_003L;

    private final ClaimLead lead = new ClaimLead(Duration.ofMillis(20));

    @Test
    void withoutAnyClaim_rowsAreOfferedWhenTheyAreDue() {
        assertThat(lead.offerMillis(DUE)).isEqualTo(DUE);
    }

    @Test
    void claimsThatTakeNoTime_leaveNoLead() {
        claims(200, Duration.ZERO);
        assertThat(lead.offerMillis(DUE)).isEqualTo(DUE);
    }

    @Test
    void leadIsAsLongAsAUsualClaimAndASlowOneTake_upToAStep() {
        claims(100, Duration.ofMillis(2));
        claims(3, Duration.ofMillis(6));
        for (long due = DUE; due < DUE + 20; due++) {
            assertThat(due - lead.offerMillis(due)).isBetween(8L, 17L);
        }
    }

    @Test
    void oneClaimThatHangs_doesNotChangeTheLead() {
        claims(100, Duration.ofMillis(2));
        long before = lead.offerMillis(DUE);
        claims(1, Duration.ofSeconds(1));
        assertThat(lead.offerMillis(DUE)).isEqualTo(before);
    }

    @Test
    void claimsOfLongAgo_areForgotten() {
        claims(128, Duration.ofMillis(9));
        claims(128, Duration.ofMillis(1));
        assertThat(DUE - lead.offerMillis(DUE)).isBetween(2L, 11L);
    }

    @Test
    void afterHoweverManyClaims_itGoesOn() {
        claims(1_000, Duration.ofMillis(3));
        assertThat(DUE - lead.offerMillis(DUE)).isBetween(6L, 15L);
    }

    @Test
    void aFractionOfAMillisecond_countsAsOne() {
        claims(1, Duration.ofNanos(1));
        assertThat(DUE - lead.offerMillis(DUE)).isBetween(1L, 10L);
    }

    @Test
    void slowClaims_neverCauseALeadAboveTheMaximum() {
        claims(10, Duration.ofSeconds(1));
        for (long due = DUE; due < DUE + 20; due++) {
            assertThat(due - lead.offerMillis(due)).isBetween(16L, 20L);
            assertThat(lead.offerMillis(due)).isGreaterThanOrEqualTo(lead.earliestOfferMillis(due));
            assertThat(due - lead.earliestOfferMillis(due)).isBetween(16L, 20L);
        }
    }

    @Test
    void rowsThatAreDueWithinAStep_areOfferedTogether() {
        claims(10, Duration.ofMillis(3));
        assertThat(LongStream.range(DUE, DUE + 1_000).map(lead::offerMillis).distinct())
                .hasSizeBetween(100, 101);
    }

    @Test
    void step_isAsLongAsClaimsLeaveOfTheMaximumLead() {
        claims(10, Duration.ofMillis(6));
        for (long due = DUE; due < DUE + 20; due++) {
            assertThat(due - lead.offerMillis(due)).isBetween(12L, 19L);
        }
    }

    @Test
    void withAMaximumLeadOfZero_rowsAreOfferedWhenTheyAreDue() {
        for (LeadTime none : new LeadTime[] {slow(Duration.ZERO), LeadTime.NONE}) {
            assertThat(none.offerMillis(DUE)).isEqualTo(DUE);
            assertThat(none.earliestOfferMillis(DUE)).isEqualTo(DUE);
        }
    }

    @Test
    void noStep_isLongerThanTenMilliseconds_evenWithALongMaximumLead() {
        ClaimLead second = new ClaimLead(Duration.ofSeconds(1));
        second.answeredAfter(Duration.ofMillis(3).toNanos());
        for (long due = DUE; due < DUE + 20; due++) {
            assertThat(due - second.offerMillis(due)).isBetween(6L, 15L);
        }
    }

    @Test
    void shortestLeadThatCanBeSet_isAMillisecond() {
        assertThat(slow(Duration.ofMillis(1)).offerMillis(DUE)).isEqualTo(DUE - 1);
    }

    private static ClaimLead slow(Duration longest) {
        ClaimLead slow = new ClaimLead(longest);
        slow.answeredAfter(Duration.ofMillis(30).toNanos());
        return slow;
    }

    private void claims(int count, Duration took) {
        for (int i = 0; i < count; i++) {
            lead.answeredAfter(took.toNanos());
        }
    }
}
