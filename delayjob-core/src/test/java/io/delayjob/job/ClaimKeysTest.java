package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimKeysTest {

    private static final String LONGEST = "\\".repeat(ClaimKeys.MAX_LENGTH);

    @Test
    void keys_comeBack_andAreTheFirstLines() {
        JobExtras extras = JobExtras.NONE
                .withExpiresAfter(Duration.ofMinutes(10))
                .withLabel("customer:42")
                .withFairKey(LONGEST)
                .withRateKey(LONGEST)
                .withMutex(LONGEST);

        assertThat(extras.mutex()).isEqualTo(LONGEST);
        assertThat(extras.rateKey()).isEqualTo(LONGEST);
        assertThat(extras.fairKey()).isEqualTo(LONGEST);
        String begin = (extras.toText() + "\nx".repeat(200)).substring(0, ClaimKeys.WITHIN);
        assertThat(ClaimKeys.of(begin)).isEqualTo(new ClaimKeys(LONGEST, LONGEST, LONGEST));
        assertThat(ClaimKeys.areWithin(begin)).isTrue();
        assertThat(ClaimKeys.areWithin(begin.substring(0, 600))).isFalse();
        assertThat(ClaimKeys.of(JobExtras.NONE.withMutex("account-7").toText()))
                .isEqualTo(new ClaimKeys("account-7", null, null));
        assertThat(ClaimKeys.of(JobExtras.NONE.withRateKey("customer-7").toText()))
                .isEqualTo(new ClaimKeys(null, "customer-7", null));
        assertThat(ClaimKeys.of(JobExtras.NONE.withFairKey("tenant-7").toText()))
                .isEqualTo(new ClaimKeys(null, null, "tenant-7"));
    }

    @Test
    void otherAttributes_areNoKeys() {
        assertThat(ClaimKeys.of(null)).isNull();
        assertThat(ClaimKeys.of("")).isNull();
        assertThat(ClaimKeys.of("aloneness 7\nby-turnstile 8")).isNull();
        assertThat(ClaimKeys.of(JobExtras.NONE
                        .withLabel("alone 7")
                        .withLabel("by-turns 7")
                        .toText()))
                .isNull();
    }

    @Test
    void unknownKeyOfALaterVersion_isPassedOver() {
        assertThat(ClaimKeys.of("alone a\nby-key k\nby-turns t\nlabel l")).isEqualTo(new ClaimKeys("a", null, "t"));
        assertThat(ClaimKeys.of("by-weight of a later version")).isNull();
    }

    @Test
    void decidingKey_isTheMutex_orTheKeyOfTheRate() {
        assertThat(ClaimKeys.deciding(null, false)).isNull();
        assertThat(ClaimKeys.deciding(new ClaimKeys(null, "customer-7", null), false))
                .isNull();
        assertThat(ClaimKeys.deciding(new ClaimKeys("account-7", null, null), false))
                .isEqualTo("account-7");
        assertThat(ClaimKeys.deciding(new ClaimKeys(null, "customer-7", null), true))
                .isEqualTo("customer-7");
        assertThat(ClaimKeys.deciding(new ClaimKeys("account-7", null, null), true))
                .isEqualTo("account-7");
        assertThat(ClaimKeys.deciding(null, true)).isEqualTo(ClaimKeys.NO_RATE_KEY);
    }

    @Test
    void fairKey_decidesNothing() {
        ClaimKeys fair = new ClaimKeys(null, null, "tenant-7");

        assertThat(ClaimKeys.deciding(fair, false)).isNull();
        assertThat(ClaimKeys.deciding(fair, true)).isEqualTo(ClaimKeys.NO_RATE_KEY);
    }

    @Test
    void beginning_isLongEnough_onceItReachesAnotherLine() {
        assertThat(ClaimKeys.areWithin("")).isFalse();
        assertThat(ClaimKeys.areWithin("alone acc")).isFalse();
        assertThat(ClaimKeys.areWithin("alone account-7\n")).isFalse();
        assertThat(ClaimKeys.areWithin("alone account-7\nby-turns t")).isFalse();
        assertThat(ClaimKeys.areWithin("alone account-7\nby-turns tenant-7\nl")).isTrue();
        assertThat(ClaimKeys.areWithin("expires")).isTrue();
    }

    @Test
    void follower_hasTheFairKeyOfTheJobBeforeIt_andNoMutex() {
        ChainStep step = new ChainStep(GivenJob.id(2), ChainStep.When.FINISHED, "mail", "send", null, null);
        JobExtras follower = JobExtras.NONE
                .withFairKey("tenant-7")
                .withMutex("account-7")
                .withSteps(List.of(step))
                .ofFollower(GivenJob.id(1));

        assertThat(follower.fairKey()).isEqualTo("tenant-7");
        assertThat(follower.mutex()).isNull();
    }

    @Test
    void invalidFairKey_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobExtras.NONE.withFairKey(" "))
                .withMessage(
                        "Invalid fair key ' ' (1 characters): must have 1 to 100 characters and not be blank; use a short text such as tenant-7.");
    }
}
