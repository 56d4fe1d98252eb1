package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimKeysTest {

    private static final String LONGEST = "\\".repeat(JobExtras.MAX_FAIR_KEY_LENGTH);

    @Test
    void keys_comeBack_andAreTheFirstLines() {
        JobExtras extras = JobExtras.NONE
                .withExpiresAfter(Duration.ofMinutes(10))
                .withLabel("customer:42")
                .withFairKey(LONGEST)
                .withMutex(LONGEST);

        assertThat(extras.mutex()).isEqualTo(LONGEST);
        assertThat(extras.fairKey()).isEqualTo(LONGEST);
        assertThat(ClaimKeys.of((extras.toText() + "\nx".repeat(200)).substring(0, ClaimKeys.WITHIN)))
                .isEqualTo(new ClaimKeys(LONGEST, LONGEST));
        assertThat(ClaimKeys.of(JobExtras.NONE.withMutex("account-7").toText()))
                .isEqualTo(new ClaimKeys("account-7", null));
        assertThat(ClaimKeys.of(JobExtras.NONE.withFairKey("tenant-7").toText()))
                .isEqualTo(new ClaimKeys(null, "tenant-7"));
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
        assertThat(ClaimKeys.of("alone a\nby-key k\nby-turns t\nlabel l")).isEqualTo(new ClaimKeys("a", "t"));
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
